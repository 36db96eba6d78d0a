/** Stands for a dialog or a menu whose file is still loading: shortcuts are silent already, as they are once it is open. */
export const AWAITED = 'data-awaited'

export function Awaited() {
  return <span hidden {...{ [AWAITED]: '' }} />
}
