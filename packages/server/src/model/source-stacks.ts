/** What source maps make of stacks, for those who only want the stacks. */
export type SourceStacks = {
  /** Null when none of these projects has source maps: then nothing has to be looked at. */
  among(projectIds: readonly string[]): Promise<StackReader | null>
}

type StackedRecord = {
  release: string
  message: string
  error: { type: string; message: string; stack: string } | null
}

/**
 * For one round of work, in which it loads and reads only so much for each project. Ask for the stacks one by one: of those
 * that overlap not all of the time is counted, and the round would take longer than it may.
 */
export type StackReader = {
  /** Whether the project has any map at all, which costs nothing to ask. */
  coversProject(projectId: string): boolean
  /** Whether the release has maps at all, which costs nothing to ask. */
  covers(projectId: string, release: string): boolean
  /**
   * The stack of the record by its source positions; null where no map applies. Never throws for what a map holds. Others
   * get their turn after a few milliseconds, however many stacks are asked for.
   */
  sourceStack(projectId: string, record: StackedRecord): Promise<string | null>
}
