import { Anchor, Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useLiveQueries } from '../../api/liveQueries.ts'
import { request } from '../../api/request.ts'
import { useWorkspace } from '../../app/session.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Pages } from '../../components/Pages.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { MessageFilters } from './MessageFilters.tsx'
import { MessageStatus } from './MessageStatus.tsx'
import { type Filters, type ListedMessage, noFilters, queryOf, readMessages, useChoices } from './queries.ts'
import { recipientText } from './words.ts'

/** The messages of a workspace, newest first. */
export function MessagesPage() {
  const { id: workspaceId } = useWorkspace()
  const [filters, changeFilters] = useFilters({ ...noFilters, older: '', newer: '' })
  const { older: _older, newer: _newer, ...chosen } = filters
  const isFiltered = Object.values(chosen).some(value => value !== '')
  const queryKey = ['workspace', workspaceId, 'messages', filters]
  const list = useQuery({
    queryKey,
    queryFn: () => readMessages(workspaceId, filters),
    placeholderData: keepPreviousData,
  })
  const { older = null, newer = null, searchedTo = null } = list.data ?? {}
  useLiveQueries(['messages'], queryKey)
  const download = useMutation({ mutationFn: () => saveCsv(workspaceId, filters) })
  const change = (next: Partial<Filters>) => changeFilters({ older: '', newer: '', ...next })
  return (
    <>
      <PageHeader
        title={texts.messages.title}
        description={texts.messages.description}
        actions={
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            onClick={() => download.mutate()}
            loading={download.isPending}
          >
            {texts.messages.export}
          </Button>
        }
      />
      {download.error && <ErrorView error={download.error} />}
      <MessageFilters filters={filters} onChange={change} isFiltered={isFiltered} />
      <DataTable
        label={texts.messages.title}
        columns={useColumns()}
        rows={list.data?.messages}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/w/${workspaceId}/messages/${id}`}
        query={list}
        empty={isFiltered ? <NoneFits /> : <NoneYet />}
      />
      <Pages
        back={[
          [texts.common.newer, newer === null ? null : { older: '', newer }],
          [texts.common.newest, newer === null ? null : { older: '', newer: '' }],
        ]}
        next={[
          searchedTo === null ? texts.common.older : texts.messages.searchFurther,
          older === null ? null : { older, newer: '' },
        ]}
        onChange={changeFilters}
      >
        {searchedTo !== null && (
          <Text size="sm" c="dimmed" role="status">
            {texts.messages.searchedTo} <Time at={searchedTo} />
          </Text>
        )}
      </Pages>
    </>
  )
}

function useColumns(): Column<ListedMessage>[] {
  const choices = useChoices()
  const { columns } = texts.messages
  const numberOf = (lineId: string) => choices.data?.lines.find(({ id }) => id === lineId)?.number ?? lineId
  const labelOf = (keyId: string) =>
    choices.data?.keys.find(({ id }) => id === keyId)?.label ?? texts.messages.unnamedKey
  return [
    { header: columns.recipient, render: ({ recipient }) => recipientText(recipient) },
    { header: columns.status, render: ({ status }) => <MessageStatus status={status} /> },
    {
      header: columns.kind,
      render: ({ type, templateName }) => (
        <span className="breakable">{templateName ?? texts.messages.types[type]}</span>
      ),
    },
    { header: columns.line, render: ({ lineId }) => numberOf(lineId) },
    {
      header: columns.sentBy,
      render: ({ keyId }) => (keyId === null ? texts.messages.sentInConsole : labelOf(keyId)),
    },
    { header: columns.created, render: ({ createdAt }) => <Time at={createdAt} /> },
  ]
}

function NoneYet() {
  return (
    <EmptyList
      title={texts.messages.emptyTitle}
      hint={texts.messages.emptyHint}
      action={
        <Anchor href="/docs" target="_blank">
          {texts.messages.emptyAction}
        </Anchor>
      }
    />
  )
}

const NoneFits = () => <EmptyList title={texts.messages.noneTitle} hint={texts.messages.noneHint} />

/** By `fetch`, because a link cannot send the token. */
async function saveCsv(workspaceId: string, filters: Filters): Promise<void> {
  const { limit: _limit, ...chosen } = queryOf({ ...filters, older: '', newer: '' })
  const query = new URLSearchParams({ ...chosen, format: 'csv' })
  const response = await request(`/api/v1/workspaces/${workspaceId}/messages?${query}`)
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = 'messages.csv'
  link.click()
  URL.revokeObjectURL(address)
}
