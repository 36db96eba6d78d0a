/** Branded so that only code that authenticated a caller, or made the project, can hold one. */
export type ProjectId = string & { readonly __brand: 'ProjectId' }

export type Project = {
  id: ProjectId
  name: string
  defaultEnvironment: string
  retentionDays: number
  createdAt: string
}
