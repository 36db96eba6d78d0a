let taken = ''

/**
 * The token behind `#`, removed from the address so that it does not stay in the history. Kept for the life of the page:
 * React may ask for a first state twice.
 */
export function takeLinkToken(): string {
  const token = location.hash.slice(1)
  if (token !== '') {
    taken = token
    history.replaceState(history.state, '', location.pathname)
  }
  return taken
}
