/** Where a progress bar is drawn: a terminal, a file, or nothing. */
export type ProgressOutput = { readonly isTTY?: boolean; write(text: string): unknown };

const width = 30;

/**
 * Draws `label [=====     ]  42 %` on one line of a terminal. Other outputs, such as a log file, get a line for every ten percent.
 *
 * @returns a function to call with the amount of work done so far and the total.
 */
export function createProgressBar(
  label: string,
  output: ProgressOutput,
): (done: number, total: number) => void {
  let shown = -1;
  return (done, total) => {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    const step = output.isTTY ? percent : Math.floor(percent / 10) * 10;
    if (step === shown) return;
    shown = step;
    output.write(output.isTTY ? drawBar(label, percent) : `${label}: ${step} %\n`);
  };
}

function drawBar(label: string, percent: number): string {
  const bar = '='.repeat(Math.round((width * percent) / 100)).padEnd(width);
  return `\r${label} [${bar}] ${String(percent).padStart(3)} %${percent === 100 ? '\n' : ''}`;
}
