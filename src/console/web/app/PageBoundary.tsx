import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'
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
        <Title order={1}>{texts.shell.notLoaded}</Title>
        <Text>{texts.shell.notLoadedHint}</Text>
        <Group>
          <Button onClick={() => location.reload()}>{texts.shell.reload}</Button>
        </Group>
      </Stack>
    )
  }
}

/** Each browser has its own message for a module that cannot be loaded. */
const isLoadFailure = (error: unknown) =>
  error instanceof Error && /import|module script|preload|dynamically/i.test(error.message)
