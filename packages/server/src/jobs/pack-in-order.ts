/** In their order, as many together as there is room for. What is larger than all of the room is by itself. */
export function packInOrder<One>(all: readonly One[], sizeOf: (one: One) => number, roomForEach: number): One[][] {
  const parts: One[][] = []
  let room = 0
  for (const one of all) {
    const size = sizeOf(one)
    if (parts.length === 0 || size > room) {
      parts.push([])
      room = roomForEach
    }
    parts.at(-1)?.push(one)
    room -= size
  }
  return parts
}
