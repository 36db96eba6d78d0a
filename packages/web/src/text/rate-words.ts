/** A rate or a share against the one before it. */

/** Below and above this it counts as changed: what lies between may be the hour of the day. */
const FELL = 0.67
const ROSE = 1.5

export function directionOf(ratio: number): 'rose' | 'fell' | 'same' {
  if (ratio >= ROSE) return 'rose'
  return ratio <= FELL ? 'fell' : 'same'
}
