import { Button, Collapse, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFilter, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { searchField } from '../../app/keyboard.ts'
import { texts } from '../../texts/texts.ts'
import { type Filters, readChoices } from './queries.ts'
import { statuses, types } from './words.ts'

const { filters: words } = texts.messages
/** A pause in typing: the list follows without Enter. */
const typingMs = 400

type Change = (next: Partial<Filters>) => void
interface Choice {
  readonly value: string
  readonly label: string
}

/** The search and the filters of the list. Each change begins at the newest message. */
export function MessageFilters({
  workspaceId,
  filters,
  onChange,
  isFiltered,
}: {
  workspaceId: string
  filters: Filters
  onChange: Change
  isFiltered: boolean
}) {
  const choices = useQuery({
    queryKey: ['workspace', workspaceId, 'message-filters'],
    queryFn: () => readChoices(workspaceId),
  })
  const { status, lineId, keyId, type, template, since, until } = filters
  const [isOpen, more] = useDisclosure([lineId, keyId, type, template, since, until].some(value => value !== ''))
  const lines = choices.data?.lines.map(({ id, number }) => ({ value: id, label: number })) ?? []
  const keys = choices.data?.keys.map(({ id, label }) => ({ value: id, label: label ?? id })) ?? []
  const templates = choices.data?.templates.map(name => ({ value: name, label: name })) ?? []
  return (
    <Stack gap="sm" mb="md" role="search" aria-label={words.label}>
      <Group gap="sm" align="flex-end">
        <Search value={filters.q} onChange={q => onChange({ q })} />
        <Filter
          label={words.status}
          value={status}
          choices={statuses.map(value => ({ value, label: texts.messages.statuses[value] }))}
          onChange={value => onChange({ status: value })}
        />
        <Button
          variant="default"
          leftSection={<IconFilter size={16} />}
          onClick={more.toggle}
          aria-expanded={isOpen}
          aria-controls="more-filters"
        >
          {isOpen ? words.fewer : words.more}
        </Button>
        {isFiltered && (
          <Button
            variant="subtle"
            onClick={() =>
              onChange({ q: '', status: '', lineId: '', keyId: '', type: '', template: '', since: '', until: '' })
            }
          >
            {texts.common.clearFilters}
          </Button>
        )}
      </Group>
      <Collapse expanded={isOpen} id="more-filters">
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
          <Filter label={words.line} value={lineId} choices={lines} onChange={value => onChange({ lineId: value })} />
          <Filter label={words.key} value={keyId} choices={keys} onChange={value => onChange({ keyId: value })} />
          <Filter
            label={words.type}
            value={type}
            choices={types.map(value => ({ value, label: texts.messages.types[value] }))}
            onChange={value => onChange({ type: value })}
          />
          <Filter
            label={words.template}
            value={template}
            choices={templates}
            onChange={value => onChange({ template: value })}
          />
          <Day label={words.since} value={since} onChange={value => onChange({ since: value })} />
          <Day label={words.until} value={until} onChange={value => onChange({ until: value })} />
        </SimpleGrid>
      </Collapse>
    </Stack>
  )
}

function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [written, setWritten] = useState(value)
  // Another page of the browser's history, or cleared filters.
  useEffect(() => setWritten(value), [value])
  useEffect(() => {
    if (written === value) return
    const timer = setTimeout(() => onChange(written), typingMs)
    return () => clearTimeout(timer)
  }, [written, value, onChange])
  return (
    <TextInput
      {...searchField}
      type="search"
      aria-label={texts.messages.searchLabel}
      placeholder={texts.messages.search}
      leftSection={<IconSearch size={16} />}
      value={written}
      onChange={event => setWritten(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') onChange(written)
      }}
      flex="1 1 18rem"
    />
  )
}

function Filter({
  label,
  value,
  choices,
  onChange,
}: {
  label: string
  value: string
  choices: readonly Choice[]
  onChange: (value: string) => void
}) {
  // What the address names may not exist any more; it is still the filter that is set.
  const isGone = value !== '' && !choices.some(choice => choice.value === value)
  const data = [{ value: '', label: words.any }, ...choices, ...(isGone ? [{ value, label: value }] : [])]
  return (
    <NativeSelect label={label} value={value} data={data} onChange={event => onChange(event.currentTarget.value)} />
  )
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return <TextInput type="date" label={label} value={value} onChange={event => onChange(event.currentTarget.value)} />
}
