/** Joins the class names that apply, in order. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

/** Dims an earlier answer while the next one is on its way or has failed. The delay avoids a flicker before quick answers. */
export const dimmed = (isStale: boolean) =>
  classNames('transition-opacity duration-[120ms]', isStale && 'opacity-60 delay-300')
