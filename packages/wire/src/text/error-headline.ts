/** What an error is called on one line: `TypeError: x is undefined`, or the half of it that there is. */
export function errorHeadline(type: string, message: string): string {
  return type === '' || message === '' ? type + message : `${type}: ${message}`
}
