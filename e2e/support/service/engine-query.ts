/**
 * Asks the engine itself what is stored, independent of our own reading: the embedded one through its socket in the data
 * folder, and that of several nodes at its address.
 */
import { request } from 'node:http'
import { join } from 'node:path'
import { storesOf } from './stores.ts'

export async function engineRows<Row>(dataDir: string, sql: string): Promise<Row[]> {
  const { TIDEMARK_CLICKHOUSE_URL: url } = await storesOf(dataDir)
  return new Promise((resolve, reject) => {
    const where = url
      ? { host: '127.0.0.1', port: new URL(url).port }
      : { socketPath: join(dataDir, 'engine/engine.sock') }
    // A server may show nothing to who does not say what it is about.
    const path = url ? '/?log_comment=*' : '/'
    const asked = request({ ...where, path, method: 'POST' }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => {
        if (response.statusCode !== 200) reject(new Error(text))
        else
          resolve(
            text
              .split('\n')
              .filter(Boolean)
              .map((line) => JSON.parse(line) as Row),
          )
      })
    })
    asked.on('error', reject)
    asked.end(`${sql} FORMAT JSONEachRow`)
  })
}
