import { describe, expect, it } from 'vitest'
import { type ConnectionPlace, ConnectionPlaces, clientNetwork } from './connection-places.ts'

function openPort(limits: { connections: number; connectionsPerAddress: number }, trustedProxies: string[] = []) {
  const places = new ConnectionPlaces(limits, trustedProxies)
  const closed: string[] = []
  const connect = (name: string, address: string): ConnectionPlace | null =>
    places.take(address, () => void closed.push(name))
  return { places, closed, connect }
}

describe('a port', () => {
  it('closes the longest idle connection of an address for another one of the same address', () => {
    const { connect, closed, places } = openPort({ connections: 9, connectionsPerAddress: 2 })
    const first = connect('first', '192.0.2.1')
    connect('second', '192.0.2.1')
    connect('other', '192.0.2.2')
    first?.setBusy(true)
    first?.setBusy(false)
    expect(connect('third', '192.0.2.1')).not.toBeNull()
    expect(connect('fourth', '192.0.2.1')).not.toBeNull()
    expect(closed).toEqual(['second', 'first'])
    expect(places.stats).toEqual({ open: 3, refused: 0, displaced: 2 })
  })

  it('refuses another connection of an address whose connections are all busy', () => {
    const { connect, closed, places } = openPort({ connections: 9, connectionsPerAddress: 1 })
    const busy = connect('busy', '192.0.2.1')
    busy?.setBusy(true)
    expect(connect('another', '192.0.2.1')).toBeNull()
    expect(connect('other', '192.0.2.2')).not.toBeNull()
    busy?.free()
    busy?.free()
    expect(connect('later', '192.0.2.1')).not.toBeNull()
    expect(closed).toEqual([])
    expect(places.stats).toEqual({ open: 2, refused: 1, displaced: 0 })
  })

  it('makes room for a new address by closing an idle connection of the one with the most', () => {
    const { connect, closed } = openPort({ connections: 4, connectionsPerAddress: 4 })
    connect('a', '192.0.2.1')
    for (const name of ['b1', 'b2', 'b3']) connect(name, '192.0.2.2')
    for (const address of ['192.0.2.3', '192.0.2.4']) expect(connect(address, address)).not.toBeNull()
    expect(closed).toEqual(['b1', 'b2'])
  })

  it('refuses connections while all are busy', () => {
    const { connect, closed } = openPort({ connections: 2, connectionsPerAddress: 2 })
    for (const address of ['192.0.2.1', '192.0.2.2']) connect(address, address)?.setBusy(true)
    expect(connect('new', '192.0.2.3')).toBeNull()
    expect(closed).toEqual([])
  })

  it('does not reuse the place of a closed connection twice', () => {
    const { connect, places } = openPort({ connections: 1, connectionsPerAddress: 1 })
    const displaced = connect('first', '192.0.2.1')
    connect('second', '192.0.2.2')?.setBusy(true)
    displaced?.setBusy(true)
    displaced?.setBusy(false)
    displaced?.free()
    expect(connect('third', '192.0.2.3')).toBeNull()
    expect(places.stats.open).toBe(1)
  })

  it('takes as many connections from a named proxy as it has room for', () => {
    const { connect } = openPort({ connections: 4, connectionsPerAddress: 1 }, ['10.0.0.0/8', '::1'])
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '::1', '::1']) {
      const place = connect(address, address)
      place?.setBusy(true)
      expect(place).not.toBeNull()
    }
    expect(connect('full', '10.1.2.3')).toBeNull()
  })

  it('counts the addresses of one IPv6 customer together', () => {
    const { connect } = openPort({ connections: 9, connectionsPerAddress: 1 })
    connect('first', '2001:db8:1:2::1')?.setBusy(true)
    expect(connect('second', '2001:db8:1:2:3:4:5:6')).toBeNull()
    expect(connect('third', '2001:db8:1:3::1')).not.toBeNull()
    expect(clientNetwork('::ffff:192.0.2.1')).toBe('192.0.2.1')
  })
})
