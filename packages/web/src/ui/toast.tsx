import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react'

const SHOWN_MS = 4_000

type Toast = { id: number; text: string }

const ToastContext = createContext<(text: string) => void>(() => {})

/** Says in a corner that something was done. Never the only place an error is told. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>()
  const say = useCallback((text: string) => setToast({ id: Date.now(), text }), [])
  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => setToast(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <ToastContext value={say}>
      {children}
      <div role="status" className="pointer-events-none fixed right-4 bottom-4 z-[60]">
        {toast && <p className="float px-3 py-2">{toast.text}</p>}
      </div>
    </ToastContext>
  )
}

export const useToast = () => use(ToastContext)
