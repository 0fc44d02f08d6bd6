import { Button, MantineProvider, Text } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { type AroundNavHandler, Link, matchRoute, Redirect, Route, Router, useLocation, useRouter } from 'wouter'
import type { UserRole } from '../../../../db/contract/roles.ts'
import { currentSession, onSessionChange } from '../api/access.ts'
import { LiveProvider } from '../api/live.tsx'
import { createQueryClient } from '../api/queries.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { EmptyList } from '../components/EmptyList.tsx'
import { PageLoading } from '../components/Loaded.tsx'
import { lossQuestion } from '../components/losses.ts'
import { useDocumentTitle } from '../components/useDocumentTitle.ts'
import { Calling } from '../pages/conversations/Calling.tsx'
import { texts } from '../texts/texts.ts'
import { Frame } from './Frame.tsx'
import { Navigation } from './Navigation.tsx'
import { PageBoundary } from './PageBoundary.tsx'
import { type Page, pages, workspaceOf } from './pages.ts'
import { SignedIn, useAccount, useWorkspace, WorkspaceProvider } from './session.tsx'
import { cssVariables, theme } from './theme.ts'

const queries = createQueryClient()

/** The console. */
export function App() {
  useEffect(
    () =>
      onSessionChange(() => {
        // The next user of the browser sees no data of the previous one.
        if (currentSession() === null) queries.clear()
      }),
    [],
  )
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <Leaving>
          <Pages />
        </Leaving>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** The addresses of the console. Asks before a page is left with which something is lost. */
function Leaving({ children }: { children: ReactNode }) {
  const [leave, setLeave] = useState<{ question: string; go: () => void } | null>(null)
  const ask = useCallback<AroundNavHandler>((navigate, to, options) => {
    // The page itself replaces its address, for example when the session has ended.
    const question = options?.replace ? null : lossQuestion()
    if (question === null) navigate(to, options)
    else setLeave({ question, go: () => navigate(to, options) })
  }, [])
  return (
    <Router base="/console" aroundNav={ask}>
      {children}
      <ConfirmDialog
        opened={leave !== null}
        onClose={() => setLeave(null)}
        title={texts.common.leaveTitle}
        confirmLabel={texts.common.leaveConfirm}
        onConfirm={async () => leave?.go()}
      >
        <Text size="sm">{leave?.question}</Text>
      </ConfirmDialog>
    </Router>
  )
}

/** The frame stays while its page changes: it has the same place in the tree for every page. */
function Pages() {
  const [location] = useLocation()
  const { parser } = useRouter()
  const page = pages.find(({ path }) => matchRoute(parser, path, location)[0])
  useEffect(() => {
    // While the session is renewed. LoadedPage says when it fails.
    page?.load().catch(() => null)
  }, [page])
  if (page?.access === 'open') return <Content page={page} />
  const content = page && <Content page={page} />
  if (location === '/') {
    return (
      <SignedIn>
        <Frame>
          <FirstPage />
        </Frame>
      </SignedIn>
    )
  }
  return (
    <SignedIn>
      <InWorkspace named={workspaceOf(location)}>
        {page?.access === undefined ? (
          notFound
        ) : page.access === 'signedIn' ? (
          content
        ) : (
          <Allowed needed={page.access}>{content}</Allowed>
        )}
      </InWorkspace>
    </SignedIn>
  )
}

/**
 * A page in the frame of a workspace.
 * @param named by the address; a page of the user has that of the one before it, an address of none that of the first
 */
function InWorkspace({ named, children }: { named: string | undefined; children: ReactNode }) {
  const { workspaces } = useAccount()
  const isKnown = named === undefined || workspaces.some(({ id }) => id === named)
  const [before, setBefore] = useState<string>()
  if (named !== undefined && isKnown && named !== before) setBefore(named)
  const workspaceId = (isKnown ? named : undefined) ?? before ?? workspaces[0]?.id
  const shown = isKnown ? children : notFound
  if (workspaceId === undefined) return <Frame>{shown}</Frame>
  return (
    <WorkspaceProvider workspaceId={workspaceId} otherwise={<Frame>{shown}</Frame>}>
      <LiveProvider key={workspaceId} workspaceId={workspaceId}>
        <Calling />
        <Frame navigation={close => <Navigation onChoice={close} />}>{shown}</Frame>
      </LiveProvider>
    </WorkspaceProvider>
  )
}

const notFound = <Notice title={texts.shell.notFound} hint={texts.shell.notFoundHint} />

/** Rendered from scratch for each address, so that nothing of one record is shown for another. */
function Content({ page }: { page: Page }) {
  const [location] = useLocation()
  return (
    <PageBoundary key={page.isKept ? page.path : location}>
      <LoadedPage page={page} />
    </PageBoundary>
  )
}

/** Not by React's `lazy`: it holds back for 300 ms what follows a sign of waiting, however soon the page is there. */
function LoadedPage({ page }: { page: Page }) {
  const [Shown, setShown] = useState(page.loaded)
  const [failure, setFailure] = useState<{ readonly thrown: unknown }>()
  useEffect(() => {
    page.load().then(
      component => setShown(() => component),
      thrown => setFailure({ thrown }),
    )
  }, [page])
  if (failure) throw failure.thrown
  if (!Shown) return <PageLoading />
  return (
    <Route path={page.path}>
      <Shown />
    </Route>
  )
}

function Allowed({ needed, children }: { needed: UserRole; children: ReactNode }) {
  const { can } = useWorkspace()
  if (can(needed)) return children
  return <Notice title={texts.shell.notAllowed} hint={texts.shell.notAllowedHint(texts.common.roles[needed])} />
}

/** Remembering the last open workspace would need storage: the first one by name is enough. */
function FirstPage() {
  const [first] = useAccount().workspaces
  if (first) return <Redirect to={`/w/${first.id}`} replace />
  return <Notice title={texts.shell.noWorkspaces} hint={texts.shell.noWorkspacesHint} />
}

/** In place of a page that cannot be shown. */
export function Notice({ title, hint }: { title: string; hint: string }) {
  useDocumentTitle(title)
  return (
    <EmptyList
      level={1}
      title={title}
      hint={hint}
      action={
        <Button component={Link} href="/" mt="xs">
          {texts.shell.home}
        </Button>
      }
    />
  )
}
