/** The files that `npm run test:nodes` leaves out, each with the reason why its subject has only one shape. */
export const ONE_SHAPE: Record<string, string> = {
  'e2e/start-and-stop.test.ts': 'how one process begins and ends on its data folder',
  'e2e/more/refused-starts.test.ts': 'how one process begins on its data folder',
  'e2e/more/ends.test.ts': 'how one process ends',
  'e2e/more/kills.test.ts': 'kills the engine in the data folder; e2e/faults/nodes.test.ts kills nodes',
  'e2e/http-hygiene.test.ts': 'raw bytes on the socket of one process, which a proxy would answer itself',
  'e2e/revocation.test.ts': 'starts its own two nodes',
  'e2e/nodes.test.ts': 'starts its own two nodes',
  'e2e/more/node-faults.test.ts': 'starts its own two nodes',
  'e2e/more/analysis-worker.test.ts': 'kills the process and the engine in its data folder',
  'e2e/more/backup.test.ts': 'copies between data folders and servers, and names both kinds itself',
  'e2e/more/backup-s3.test.ts': 'restores into data folders; what is copied from servers is in e2e/more/backup.test.ts',
  'e2e/more/demo.test.ts': 'the demo is one process with a data folder',
  'e2e/more/upgrades.test.ts': 'opens data folders of earlier versions',
  'e2e/more/sdk-copies.test.ts': 'starts no service',
  'e2e/more/sdk-exit.test.ts': 'starts no service',
  'e2e/more/sdk-types.test.ts': 'starts no service',
}
