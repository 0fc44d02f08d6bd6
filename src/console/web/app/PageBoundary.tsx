import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode, useEffect } from 'react'
import { againMs } from '../api/queries.ts'
import { ErrorView } from '../components/ErrorView.tsx'
import { texts } from '../texts/texts.ts'

/**
 * Shows the error instead of a page that cannot be rendered. After an update of the gateway, a page's old code is gone:
 * then the browser must load the new version. The code cannot be loaded either while the connection is lost.
 */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    if (!isLoadFailure(error)) return <ErrorView error={error} onRetry={() => this.setState({ error: null })} />
    return (
      <Stack role="alert">
        <ReloadWhenBack />
        <Title order={1}>{texts.shell.notLoaded}</Title>
        <Text>{texts.shell.notLoadedHint}</Text>
        <Group>
          <Button onClick={() => location.reload()}>{texts.shell.reload}</Button>
        </Group>
      </Stack>
    )
  }
}

/**
 * Reloads once a connection that was lost is back. Where the gateway answers from the start, it is not the connection,
 * and a reload by itself might repeat without an end.
 */
function ReloadWhenBack() {
  useEffect(() => {
    let wasLost = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      const isThere = await fetch('/console', { method: 'HEAD' }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isThere && wasLost) return location.reload()
      wasLost = !isThere
      if (wasLost) timer = setTimeout(look, againMs)
    }
    void look()
    return () => clearTimeout(timer)
  }, [])
  return null
}

/** Each browser has its own message for a module that cannot be loaded. */
const isLoadFailure = (error: unknown) =>
  error instanceof Error && /import|module script|preload|dynamically/i.test(error.message)
