/** The two senders that send one stream without requests. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'

export async function sendSyslog(port: number, bodies: readonly Buffer[]): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  for (const body of bodies) socket.write(body)
  socket.end()
  socket.resume()
  await once(socket, 'close')
}

export async function sendJournal(url: string, key: string, bodies: readonly Buffer[]): Promise<void> {
  const headers = { 'content-type': 'application/vnd.fdo.journal' }
  const upload = request(`${url}/upload`, { method: 'POST', auth: `tidemark:${key}`, headers })
  for (const body of bodies) upload.write(body)
  upload.end()
  const [answer] = await once(upload, 'response')
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`the service answered ${answer.statusCode}`)
}
