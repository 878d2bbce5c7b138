const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chrome'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The names of the browser and the system in a User-Agent header (RFC 9110, 10.1.5), or undefined if it names neither. */
export function describeBrowser(
  user_agent: string | null,
): { readonly browser: string; readonly system: string } | undefined {
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(user_agent ?? ''))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  return browser !== undefined && system !== undefined ? { browser, system } : undefined;
}
