import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react'

const SHOWN_MS = 4_000
/** Long enough to read it, to change one's mind, and to reach it. */
const SHOWN_WITH_ACTION_MS = 10_000

type ToastAction = { label: string; run: () => void }
type Toast = { id: number; text: string; action: ToastAction | undefined }
type Say = (text: string, action?: ToastAction) => void

const ToastContext = createContext<Say>(() => {})

/** Says in a corner that something was done, and can undo it where offered. Never the only place an error is shown. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>()
  const say = useCallback<Say>((text, action) => setToast({ id: Date.now(), text, action }), [])
  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => setToast(undefined), toast.action ? SHOWN_WITH_ACTION_MS : SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <ToastContext value={say}>
      {children}
      <div
        role="status"
        className="pointer-events-none fixed right-4 bottom-4 z-[60] max-w-[calc(100vw-2rem)] max-sm:bottom-16"
      >
        {toast && (
          <div className="float pointer-events-auto flex items-center gap-3 px-3 py-2">
            <p>{toast.text}</p>
            {toast.action && (
              <button
                type="button"
                onClick={() => {
                  setToast(undefined)
                  toast.action?.run()
                }}
                className="font-medium text-accent hover:underline"
              >
                {toast.action.label}
              </button>
            )}
          </div>
        )}
      </div>
    </ToastContext>
  )
}

export const useToast = () => use(ToastContext)
