/**
 * Sees the errors that end a process without preventing it: the monitor event only observes, and what was logged is
 * sent in the `exit` event. Node raises an unhandled rejection as an exception unless somebody listens for rejections;
 * so we listen exactly as long as somebody else does.
 */
export function watchProcessErrors(seen: (thrown: unknown, mechanism: string) => void): () => void {
  const onException = (error: unknown, origin: string): void => seen(error, origin)
  const onRejection = (reason: unknown): void => seen(reason, 'unhandledRejection')
  let isListening = false

  function listenAsOthersDo(others: number): void {
    if (others > 0 === isListening) return
    isListening = others > 0
    if (isListening) process.on('unhandledRejection', onRejection)
    else process.off('unhandledRejection', onRejection)
  }
  const others = () => process.listeners('unhandledRejection').filter((listener) => listener !== onRejection).length
  const onAdded = (name: string | symbol, listener: unknown): void => {
    // The event comes before the listener is there.
    if (name === 'unhandledRejection' && listener !== onRejection) listenAsOthersDo(others() + 1)
  }
  const onRemoved = (name: string | symbol, listener: unknown): void => {
    if (name === 'unhandledRejection' && listener !== onRejection) listenAsOthersDo(others())
  }

  process.on('uncaughtExceptionMonitor', onException)
  process.on('newListener', onAdded)
  process.on('removeListener', onRemoved)
  listenAsOthersDo(others())
  return () => {
    process.off('uncaughtExceptionMonitor', onException)
    process.off('newListener', onAdded)
    process.off('removeListener', onRemoved)
    listenAsOthersDo(0)
  }
}
