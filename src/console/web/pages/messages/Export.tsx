import { Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { save } from '../../api/files.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { DayRangeChoice, type Days } from '../../components/DayRangeChoice.tsx'
import { dayRanges } from '../../components/times.ts'
import { texts } from '../../texts/texts.ts'
import { type Filters, queryOf } from './queries.ts'

const words = texts.messages

/** Says how many messages there are before all that fit are saved as a table. @param props.found how many, in words */
export function Export(props: { filters: Filters; found: string | null; onDays: (days: Days) => void }) {
  const { filters, found, onDays } = props
  const { id: workspaceId } = useWorkspace()
  return (
    <ConfirmButton
      label={words.export}
      button={{
        ...{ variant: 'default', size: 'xs', className: 'quiet-on-telephone' },
        leftSection: <IconDownload size={16} />,
      }}
      title={words.exportTitle}
      confirmLabel={words.exportConfirm}
      onConfirm={() => saveCsv(workspaceId, filters)}
      isHarmless
    >
      <Stack gap="sm">
        <Text size="sm" role="status">
          {found ?? words.exportNone}
        </Text>
        <DayRangeChoice since={filters.since} until={filters.until} onChange={onDays} />
        <Text size="sm" c="dimmed">
          {words.exportHint}
        </Text>
      </Stack>
    </ConfirmButton>
  )
}

async function saveCsv(workspaceId: string, filters: Filters): Promise<void> {
  const { limit: _limit, ...chosen } = queryOf({ ...filters, older: '', newer: '' })
  const query = new URLSearchParams({ ...chosen, format: 'csv' })
  await save(`/api/v1/workspaces/${workspaceId}/messages?${query}`, `messages-${dayRanges(new Date()).today.since}.csv`)
}
