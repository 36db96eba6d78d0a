/** The keys of a project that was just created: shown once, held only by this page, gone with it. */
type FirstKeys = { ingestKey: string; readKey: string }

const held = new Map<string, FirstKeys>()

export const holdFirstKeys = (projectId: string, keys: FirstKeys): unknown => held.set(projectId, keys)
export const firstKeysOf = (projectId: string): FirstKeys | undefined => held.get(projectId)
export const forgetFirstKeys = (projectId: string): unknown => held.delete(projectId)
