import type { SessionAnswer } from '../auth/schemas.ts'
import { askEarly, refreshPath } from './api/early.ts'
import { asksOf, pageAt, workspaceOf } from './app/pages.ts'

/*
 * Runs before the rest of the page's code, which a slow browser takes more than a second for: meanwhile the session is
 * asked for, and then what the page will show. Whatever fails is asked for again by who needs it, and told there.
 */

/** What the frame of a workspace asks for, whatever its page is. */
const frameAsks = ['setup', 'conversation-count']

const here = () => location.pathname.slice('/console'.length) || '/'

async function begin(): Promise<boolean> {
  const code = pageAt(here())?.load()
  if (pageAt(here())?.access === 'open') return false
  const response = await askEarly(refreshPath, null)
  if (!response.ok) return false
  const { accessToken, workspaces } = (await response.clone().json()) as SessionAnswer
  const [first] = workspaces
  if (here() === '/' && first) history.replaceState(null, '', `/console/w/${first.id}`)
  const page = pageAt(here())
  const workspaceId = workspaceOf(here())
  if (workspaceId !== undefined) {
    const asks = [...frameAsks, ...(page && location.search === '' ? asksOf(page, here()) : [])]
    for (const path of asks) void askEarly(`/api/v1/workspaces/${workspaceId}/${path}`, accessToken)
  }
  await (code ?? page?.load())
  return true
}

/** Whether somebody is signed in; it is known when the code of the page is there too. */
export const begun: Promise<boolean> = begin().catch(() => false)
