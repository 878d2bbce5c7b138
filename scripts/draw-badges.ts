import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as fontkit from 'fontkit';
import { markHalves } from '#lib/mark.ts';
import { openBrowser } from '#test/web/open-browser.ts';
import {
  describeAchievement,
  type AchievementKey,
} from '../src/modules/credentials/credentials/signing/achievements.ts';
import { allowedTiers, credentialTypes } from '../src/modules/credentials/credentials/rules.ts';
import { buildIssuer } from '../src/modules/credentials/credentials/signing/issuer.ts';

// Draws the pictures of badges and the cards that social networks show, into the folder of the module: `node scripts/draw-badges.ts`. Text becomes
// outlines, so that a picture needs no font. The files are committed, because a service that draws would need a browser.

const folder = path.join(import.meta.dirname, '../src/modules/credentials/credentials/badges/images');
const font = fontkit.openSync(
  createRequire(import.meta.url).resolve('@fontsource/marcellus/files/marcellus-latin-400-normal.woff'),
);

type Tier = AchievementKey['attestation_tier'];

/** The words, the colour and the ring of a tier: a statement that nobody checked looks unfinished. */
const tiers: Readonly<Record<Tier, { words: string; colour: string; ring: (colour: string) => string }>> = {
  self_attested: {
    words: 'the holder’s own word',
    colour: '#8a5a00',
    ring: (colour) =>
      drawCircle(236, `fill="none" stroke="${colour}" stroke-width="8" stroke-dasharray="18 14"`),
  },
  platform_verified: {
    words: 'verified by Tessera',
    colour: '#0e5047',
    ring: (colour) => drawCircle(234, `fill="none" stroke="${colour}" stroke-width="14"`),
  },
  org_validated: {
    words: 'an organisation’s word',
    colour: '#8f3d1e',
    ring: (colour) =>
      drawCircle(238, `fill="none" stroke="${colour}" stroke-width="8"`) +
      drawCircle(222, `fill="none" stroke="${colour}" stroke-width="3"`),
  },
};

const paper = '#faf7f1';
const ink = '#1f1b16';
const quiet = '#524a3f';

function drawCircle(radius: number, attributes: string): string {
  return `<circle cx="256" cy="256" r="${radius}" ${attributes}/>`;
}

function drawMark(x: number, y: number, size: number): string {
  const scale = (size / 24).toFixed(4);
  return `<g transform="translate(${x} ${y}) scale(${scale})"><path fill="#14665a" d="${markHalves.left}"/><path fill="#b4532f" d="${markHalves.right}"/></g>`;
}

type Line = { readonly text: string; readonly size: number; readonly y: number; readonly colour: string };

/** A line of text as outlines: centred on `x`, or beginning there. */
function drawLine({ text, size, y, colour }: Line, x: number, isCentred: boolean): string {
  const run = font.layout(text);
  const scale = size / font.unitsPerEm;
  const start = isCentred ? x - (run.advanceWidth * scale) / 2 : x;
  let advance = 0;
  const glyphs = run.glyphs.map((glyph, index) => {
    const left = advance;
    advance += run.positions[index]!.xAdvance;
    const d = glyph.path.toSVG();
    return d === '' ? '' : `<path transform="translate(${left})" d="${d}"/>`;
  });
  const transform = `translate(${start.toFixed(2)} ${y}) scale(${scale.toFixed(5)} -${scale.toFixed(5)})`;
  return `<g fill="${colour}" transform="${transform}">${glyphs.join('')}</g>`;
}

/** Breaks a name into lines of at most `letters_max` letters, about equally long. */
function breakName(name: string, letters_max: number): readonly string[] {
  const count = fillLines(name, letters_max).length;
  let width = letters_max;
  while (width > 1 && fillLines(name, width - 1).length === count) width -= 1;
  return fillLines(name, width);
}

/** Fills each line with as many words as fit. A word that is longer has a line of its own. */
function fillLines(name: string, letters_max: number): readonly string[] {
  const lines: string[] = [];
  for (const word of name.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && longer.length <= letters_max) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function findName(key: AchievementKey): string {
  return describeAchievement(buildIssuer('https://tessera.example'), key).name.replace(
    ' (self-declared)',
    '',
  );
}

function drawBadge(key: AchievementKey): string {
  const { words, colour, ring } = tiers[key.attestation_tier];
  const lines = breakName(findName(key), 16);
  const top = lines.length === 1 ? 338 : 318;
  const name = lines.map((text, index) =>
    drawLine({ text, size: 44, y: top + index * 48, colour: ink }, 256, true),
  );
  const voucher = drawLine({ text: words, size: 24, y: top + lines.length * 48 + 2, colour }, 256, true);
  return [drawCircle(248, `fill="${paper}"`), ring(colour), drawMark(178, 92, 156), ...name, voucher].join(
    '',
  );
}

function drawCard(key: AchievementKey | undefined): string {
  const lines = breakName(key ? findName(key) : 'A credential to check', 17);
  const { words, colour } = key ? tiers[key.attestation_tier] : { words: 'signed by Tessera', colour: quiet };
  const top = 330 - lines.length * 42;
  const badge = key
    ? `<g transform="translate(70 105) scale(.82)">${drawBadge(key)}</g>`
    : drawMark(120, 150, 330);
  return [
    `<rect width="1200" height="630" fill="${paper}"/><rect y="614" width="1200" height="16" fill="${colour}"/>`,
    badge,
    ...lines.map((text, index) => drawLine({ text, size: 76, y: top + index * 84, colour: ink }, 545, false)),
    drawLine({ text: words, size: 40, y: top + lines.length * 84 - 8, colour }, 545, false),
    drawLine({ text: 'Anyone can check it at this address.', size: 30, y: 545, colour: quiet }, 545, false),
  ].join('');
}

function wrapSvg(content: string, width: number, height: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${content}</svg>\n`;
}

async function drawAll(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await openBrowser();
  const context = await browser.newContext({ deviceScaleFactor: 1 });
  const page = await context.newPage();
  const savePng = async (name: string, svg: string, width: number, height: number) => {
    await page.setViewportSize({ width, height });
    await page.setContent(
      `<style>*{margin:0}svg{display:block;width:${width}px;height:${height}px}</style>${svg}`,
    );
    writeFileSync(path.join(folder, name), await page.screenshot({ omitBackground: true }));
  };
  for (const credential_type of credentialTypes)
    for (const attestation_tier of allowedTiers[credential_type]) {
      const key = { credential_type, attestation_tier };
      const name = `${credential_type}-${attestation_tier}`;
      const badge = wrapSvg(drawBadge(key), 512, 512);
      writeFileSync(path.join(folder, `${name}.svg`), badge);
      await savePng(`${name}.png`, badge, 400, 400);
      await savePng(`${name}-card.png`, wrapSvg(drawCard(key), 1200, 630), 1200, 630);
    }
  await savePng('card.png', wrapSvg(drawCard(undefined), 1200, 630), 1200, 630);
  await browser.close();
}

await drawAll();
