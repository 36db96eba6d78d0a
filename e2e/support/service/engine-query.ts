/** Asks the embedded engine itself, through its socket in the data folder: what is stored, independent of our own reading. */
import { request } from 'node:http'
import { join } from 'node:path'

export function engineRows<Row>(dataDir: string, sql: string): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { socketPath: join(dataDir, 'engine/engine.sock'), path: '/?default_format=JSONEachRow', method: 'POST' },
      (response) => {
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
      },
    )
    asked.on('error', reject)
    asked.end(`${sql} FORMAT JSONEachRow`)
  })
}
