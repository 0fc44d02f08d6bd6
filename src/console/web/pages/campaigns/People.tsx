import { Alert, Button, Checkbox, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type CsvTable, readCsv } from '../../../../batches/csvTable.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ChooseFile } from '../../components/ChooseFile.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Hint } from '../../components/Hint.tsx'
import { whole } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { tableOfContacts } from './people.ts'

const spans = [7, 30, 90, 365]

/** Chooses whom it is sent to: the rows of a file, or contacts. */
export function People({ table, onTable }: { table: CsvTable | null; onTable: (table: CsvTable | null) => void }) {
  const { routes } = useWorkspaceRoutes()
  const [from, setFrom] = useState('file')
  const [which, setWhich] = useState(String(spans[1]))
  /** They are chosen, and are to be others. */
  const [isChanging, setChanging] = useState(false)
  const [isWithout, setWithout] = useState(true)
  const read = useMutation({
    async mutationFn(file: File | null) {
      if (file === null) return { ok: true as const, table: await tableOfContacts(routes, which, isWithout) }
      return readCsv(new Uint8Array(await file.arrayBuffer()))
    },
    onMutate: () => onTable(null),
    onSuccess(answer) {
      if (!answer.ok) return
      setChanging(false)
      onTable(answer.table)
    },
  })
  const { data } = read
  const found = (table || data?.ok) && (
    <Text size="sm" role="status">
      {read.variables && <bdi>{read.variables.name}: </bdi>}
      {words.found(table?.rows.length ?? 0, whole(table?.rows.length ?? 0))}
    </Text>
  )
  if (table && !isChanging) {
    return (
      <Section
        title={words.people}
        actions={
          <Button variant="default" size="xs" onClick={() => setChanging(true)}>
            {words.change}
          </Button>
        }
        hint={found}
      />
    )
  }
  return (
    <Section title={words.people}>
      <SegmentedControl
        size="xs"
        aria-label={words.people}
        value={from}
        onChange={setFrom}
        data={[
          { value: 'file', label: words.fromFile },
          { value: 'contacts', label: words.fromContacts },
        ]}
      />
      {from === 'file' ? (
        <Group my="sm">
          <ChooseFile
            label={words.chooseFile}
            accept=".csv,.tsv,.txt,text/csv"
            isBusy={read.isPending}
            onChoose={read.mutate}
          />
          <Hint>{words.fileHint}</Hint>
        </Group>
      ) : (
        <Group my="sm" align="flex-end">
          <NativeSelect
            label={words.which}
            value={which}
            data={[
              ...spans.map(span => ({ value: String(span), label: words.wroteWithin(String(span)) })),
              { value: 'never', label: words.neverWrote },
              { value: 'all', label: words.allContacts },
            ]}
            onChange={event => setWhich(event.currentTarget.value)}
          />
          <Checkbox
            mb="xs"
            label={words.withoutOptOuts}
            checked={isWithout}
            onChange={event => setWithout(event.currentTarget.checked)}
          />
          <Button variant="default" loading={read.isPending} onClick={() => read.mutate(null)}>
            {words.find}
          </Button>
        </Group>
      )}
      {read.error && <ErrorView error={read.error} />}
      {data?.ok === false && (
        <Alert color="red" role="alert">
          {words.fileProblems[data.problem]}
        </Alert>
      )}
      {found}
    </Section>
  )
}
