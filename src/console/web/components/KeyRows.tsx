import { Group, Stack, Text } from '@mantine/core'

/** As a key looks. */
export const asKey = {
  ...{ ff: 'monospace', fz: 'xs', fw: 700, px: 6, bdrs: 'sm' },
  ...{ bg: 'var(--mantine-color-default-hover)', bd: '1px solid var(--mantine-color-default-border)' },
} as const

export type KeyRow = readonly [keys: readonly string[], meaning: string]

/** What keys do, each in a row. */
export const KeyRows = ({ rows }: { rows: readonly KeyRow[] }) => (
  <Stack gap="xs" w="100%">
    {rows.map(([keys, meaning]) => (
      <Group key={meaning} justify="space-between" wrap="nowrap">
        <Text size="sm">{meaning}</Text>
        <Group gap={4} wrap="nowrap">
          {keys.map(key => (
            <Text key={key} component="kbd" {...asKey}>
              {key}
            </Text>
          ))}
        </Group>
      </Group>
    ))}
  </Stack>
)
