import { classNames } from './class-names.ts'

/** For a link that looks like a tab, in a row with a line below it. */
export const tabClass = (isChosen: boolean) =>
  classNames(
    '-mb-px flex h-8 shrink-0 items-center gap-1.5 border-b-2 px-2 text-small font-medium -outline-offset-2 hover:text-text',
    isChosen ? 'border-accent text-text' : 'border-transparent text-muted',
  )
