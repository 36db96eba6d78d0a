/** The queries of this browser, newest first, each once, per project. */
const KEPT = 30
const storedAs = (projectId: string) => `tidemark.queries.${projectId}`

export function queryHistory(projectId: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storedAs(projectId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((query) => typeof query === 'string') : []
  } catch {
    return []
  }
}

export function rememberQuery(projectId: string, query: string): void {
  const text = query.trim()
  if (text === '') return
  const queries = [text, ...queryHistory(projectId).filter((other) => other !== text)].slice(0, KEPT)
  try {
    localStorage.setItem(storedAs(projectId), JSON.stringify(queries))
  } catch {
    // Without storage there is no history, and nothing else is lost.
  }
}
