export function announcedPort(output: { stdout: string; stderr: string }): number | undefined
