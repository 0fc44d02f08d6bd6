import { Center, Container, Loader } from '@mantine/core'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { useLocation, useSearch } from 'wouter'
import { isAtLeast, type UserRole } from '../../../../db/contract/roles.ts'
import type { SessionAnswer } from '../../auth/schemas.ts'
import { currentSession, currentToken, onSessionChange } from '../api/access.ts'
import { againAfter } from '../api/queries.ts'
import { ErrorView } from '../components/ErrorView.tsx'
import { texts } from '../texts/texts.ts'
import { speak } from './language.ts'

type Account = Pick<SessionAnswer, 'user' | 'preferences' | 'workspaces'>
const AccountContext = createContext<Account | null>(null)

/** The user who is signed in, and what the user prefers. Only below {@link SignedIn}. */
export function useAccount(): Account {
  const account = useContext(AccountContext)
  if (!account) throw new Error('useAccount is used outside of SignedIn')
  return account
}

export const signInPath = '/sign-in'
const returnParameter = 'return'

/** @returns where to go after the sign-in: an address below `/console` */
export function returnPathOf(search: string): string {
  const path = new URLSearchParams(search).get(returnParameter) ?? '/'
  // Rejects anything that a browser could read as an address of another site.
  return /^\/(?![/\\])/.test(path) && !path.startsWith(signInPath) ? path : '/'
}

/** Shows its content to a signed-in user; others see the sign-in page first, and come back afterwards. */
export function SignedIn({ children }: { children: ReactNode }) {
  const session = useSyncExternalStore(onSessionChange, currentSession)
  const [failure, setFailure] = useState<unknown>(null)
  const [location, navigate] = useLocation()
  const search = useSearch()

  const restore = useCallback(async () => {
    try {
      if ((await currentToken()) !== null) return
      const here = search === '' ? location : `${location}?${search}`
      const parameters = here === '/' ? '' : `?${new URLSearchParams({ [returnParameter]: here })}`
      navigate(signInPath + parameters, { replace: true })
    } catch (thrown) {
      setFailure(thrown)
    }
  }, [location, search, navigate])

  const language = session?.preferences.language
  useEffect(() => {
    if (language !== undefined) speak(language)
  }, [language])

  const isKnown = session !== null
  useEffect(() => {
    if (!isKnown) void restore()
  }, [isKnown, restore])

  useEffect(() => {
    const waitMs = againAfter({ state: { error: failure } })
    const timer = waitMs === false ? undefined : setTimeout(restore, waitMs)
    return () => clearTimeout(timer)
  }, [failure, restore])

  if (session) return <AccountContext value={session}>{children}</AccountContext>
  if (failure) {
    return (
      <Container size="sm" py="xl">
        <ErrorView error={failure} onRetry={() => void restore()} />
      </Container>
    )
  }
  return (
    <Center h="100vh">
      <Loader aria-label={texts.common.loading} />
    </Center>
  )
}

interface WorkspaceAccess {
  readonly id: string
  readonly name: string
  readonly role: UserRole
  /** Whether the user has the rights of this role. */
  can(needed: UserRole): boolean
}

const WorkspaceContext = createContext<WorkspaceAccess | null>(null)

/** The workspace of the page's address. Only on pages below `/w/:workspaceId`. */
export function useWorkspace(): WorkspaceAccess {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('useWorkspace is used outside of a workspace')
  return workspace
}

/** The same, on pages of any address. */
export const useWorkspaceIfAny = (): WorkspaceAccess | null => useContext(WorkspaceContext)

/** @param otherwise shown when the user is no member */
export function WorkspaceProvider(props: { workspaceId: string; children: ReactNode; otherwise: ReactNode }) {
  const workspace = useAccount().workspaces.find(({ id }) => id === props.workspaceId)
  if (!workspace) return props.otherwise
  const access = { ...workspace, can: (needed: UserRole) => isAtLeast(workspace.role, needed) }
  return <WorkspaceContext value={access}>{props.children}</WorkspaceContext>
}
