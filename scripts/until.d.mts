export function announcedPort(output: { stdout: string; stderr: string }): number | undefined
export const TEST_PATIENCE_MS: number
export function until<Found>(otherwise: string, look: () => Found | Promise<Found>, patienceMs?: number): Promise<Found>
