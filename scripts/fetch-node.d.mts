export const NODES: readonly { version: string; arm64: string; x64: string }[]
