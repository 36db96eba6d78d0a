/** `91 %`, `2.1 %`, `<0.1 %`: for people and agents alike. All and none are said only where they are true. */
export function shareWords(share: number): string {
  const percent = share * 100
  if (percent <= 0) return '0 %'
  if (percent >= 100) return '100 %'
  if (percent < 0.1) return '<0.1 %'
  return `${percent < 10 ? percent.toFixed(1).replace(/\.0$/, '') : Math.min(99, Math.round(percent))} %`
}
