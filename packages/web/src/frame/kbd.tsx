const isMac = /mac|iphone|ipad/i.test(navigator.platform)

/** What is held for a shortcut, as the keyboard in front of the reader calls it. */
export const MOD_KEY = isMac ? '⌘' : 'Ctrl'
export const PALETTE_KEYS = isMac ? '⌘K' : 'Ctrl+K'

/** The keys of a shortcut: `g l` is two, one after the other. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-1">
      {keys.split(' ').map((key) => (
        <kbd
          key={key}
          className="inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-[4px] border border-strong-border bg-background px-1 font-sans text-tiny text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
