export type Language = 'javascript' | 'python' | 'java' | 'go' | 'ruby' | 'php' | 'dotnet' | 'rust'

/** Empty strings and nulls where the trace said nothing. */
export type StackFrame = {
  /** Cleaned of what differs between builds and calls: numbers of lambdas, async marks, arguments. */
  function: string
  /** As it stood in the trace. */
  file: string
  line: number | null
  column: number | null
  /** Written by the people who run the program, as far as the path or the package tells. */
  inApp: boolean
}

/** Frames in the order of JavaScript and Java, the place of the throw first, whatever the language prints. */
export type StackException = { type: string; message: string; frames: StackFrame[] }

/** The exception that was reported first, then its cause, then the cause of that, to the root. */
export type Stack = { language: Language; exceptions: StackException[] }
