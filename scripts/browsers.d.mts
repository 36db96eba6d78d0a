export const SHELL: string
export const BROWSERS: readonly string[]
