/** Tells the frames of libraries and runtimes from those of the product, by where their files lie. */
export type StackPart = { isLibrary: boolean; lines: string[] }

const LIBRARY =
  /node_modules|node:internal|\(node:|at node:|site-packages|dist-packages|\/lib\/python|\/gems\/|\/usr\/(lib|local\/go)|vendor\/|at (java|javax|jdk|sun|kotlin|scala|org\.springframework|org\.apache|io\.netty|System|Microsoft)\.|\/rustc\/|<frozen /

export function foldStack(stack: string): StackPart[] {
  const parts: StackPart[] = []
  for (const line of stack.split('\n')) {
    const isLibrary = LIBRARY.test(line)
    const last = parts.at(-1)
    if (last?.isLibrary === isLibrary) last.lines.push(line)
    else parts.push({ isLibrary, lines: [line] })
  }
  return parts
}
