import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Welcome } from './welcome/welcome.tsx'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Welcome isOwnerLink={location.pathname === '/welcome'} origin={location.origin} />
    </StrictMode>,
  )
}
