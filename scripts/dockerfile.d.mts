export type Step =
  | { kind: 'WORKDIR'; path: string }
  | { kind: 'USER'; uid: string; gid: string }
  | { kind: 'EXPOSE'; port: string }
  | { kind: 'RUN'; command: string }
  | { kind: 'ENV'; variables: Record<string, string> }
  | { kind: 'COPY'; from?: string; sources: string[]; target: string }
  | { kind: 'VOLUME'; paths: string[] }
  | { kind: 'CMD'; command: string[] }
  | { kind: 'HEALTHCHECK'; options: Record<string, string>; command: string[] }
export type Stage = { from: string; name?: string; steps: Step[] }
export function readDockerfile(text: string): Stage[]
