import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { toFailure } from '../api/failure.ts'
import { texts } from '../texts/texts.ts'
import { CopyId } from './CopyButton.tsx'

/** What went wrong, what to do about it, and the request id to report. */
export function ErrorView({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const failure = toFailure(error)
  const remedy = failure.isUnreachable ? texts.errors.unreachableRemedy : texts.errors.remedies[failure.reason ?? '']
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={texts.errors.title} role="alert">
      <Stack gap="xs">
        <Text size="sm" className="breakable">
          {failure.message}
        </Text>
        {failure.issues.length > 1 && (
          <List size="sm">
            {failure.issues.map(({ path, message }) => (
              <List.Item key={path + message}>
                {path}: {message}
              </List.Item>
            ))}
          </List>
        )}
        {remedy && <Text size="sm">{remedy}</Text>}
        {failure.requestId && (
          <Group gap="xs">
            <Text size="sm">{texts.common.requestId}</Text>
            <CopyId id={failure.requestId} what={texts.common.requestId} />
          </Group>
        )}
        {onRetry && (
          <Group>
            <Button size="xs" variant="default" onClick={onRetry}>
              {texts.common.tryAgain}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}
