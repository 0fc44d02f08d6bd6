// First: what it asks for comes while the code of the others runs.
import './begin.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { currentToken } from './api/access.ts'
import { App } from './app/App.tsx'
import './app/shared.ts'
import { begun } from './begin.ts'

async function show(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('the document has no root')
  // The page is drawn at once, and no sign of waiting before it. A failure is told where the session is needed.
  if (await begun) await currentToken().catch(() => null)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

// Not awaited: a file that waits cannot be one with those that it shares with pages.
void show()
