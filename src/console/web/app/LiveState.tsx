import { Button, Group, Indicator, Text, Tooltip } from '@mantine/core'
import { useLive } from '../api/live.tsx'
import { Hint } from '../components/Hint.tsx'
import { texts } from '../texts/texts.ts'

const { live } = texts.shell

/** Shows whether the page follows the gateway. Empty on pages without live data. */
export function LiveState() {
  const { state, reconnect } = useLive()
  return (
    <div role="status">
      {state === 'live' && (
        <Group gap={12} wrap="nowrap" px={6}>
          <Indicator color="teal" position="middle-start" size={8}>
            <span />
          </Indicator>
          <Text size="sm" visibleFrom="xs">
            {live.live}
          </Text>
        </Group>
      )}
      {state === 'connecting' && <Hint>{live.connecting}</Hint>}
      {state === 'lost' && (
        <Tooltip label={live.lostHint}>
          <Button size="compact-sm" variant="light" color="red" onClick={reconnect} title={live.retry}>
            {live.lost}
          </Button>
        </Tooltip>
      )}
    </div>
  )
}
