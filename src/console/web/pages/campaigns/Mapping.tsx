import { List, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { Fragment, type ReactNode, useState } from 'react'
import { type CsvItems, itemsOf } from '../../../../batches/csvItems.ts'
import { type CsvMapping, csvFields } from '../../../../batches/csvMapping.ts'
import type { CsvTable } from '../../../../batches/csvTable.ts'
import type { SendValues } from '../../../../templates/authoring/values.ts'
import { whole } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { tile } from '../../components/tile.ts'
import { Warning } from '../../components/Warning.tsx'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { templates } from '../../texts/en/templates.ts'
import type { TemplateDetail } from '../templates/queries.ts'
import { ValueFields, ValueName } from '../templates/TemplateValues.tsx'
import { type ValueField, valueFieldsOf } from '../templates/valueFields.ts'
import { isOfContacts } from './people.ts'

/** Wrong rows that are listed: who has more of them looks at the column. */
const wrongShown = 10

const mayHaveColumn = ({ part, file }: ValueField) => part === 'variables' && file === null

/** The values that a column may fill. */
export const columnValues = (detail: TemplateDetail) => valueFieldsOf(detail).filter(mayHaveColumn)

/** Makes items of the rows. @param constants what is the same for all */
export const itemsIn = (
  table: CsvTable,
  mapping: CsvMapping,
  detail: TemplateDetail,
  constants: Readonly<Record<string, string>>,
): CsvItems => {
  const required = columnValues(detail).flatMap(({ key, isRequired }) => (isRequired ? [key] : []))
  return itemsOf(table, mapping, { required, constants })
}

interface Props {
  readonly table: CsvTable
  readonly mapping: CsvMapping
  readonly detail: TemplateDetail
  readonly values: SendValues
  readonly made: CsvItems
  readonly onMapping: (mapping: CsvMapping) => void
  readonly onValues: (values: SendValues) => void
}

/** Shows which column fills what, before anything is made of it, and the rows that cannot go. */
export function Mapping({ table, mapping, detail, values, made, onMapping, onValues }: Props) {
  /** The values whose field was left: nothing is wrong before that. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const header = isOfContacts(table) ? [words.fields.phone, words.columns.name, words.fields.contactId] : table.header
  const choice = (
    label: ReactNode,
    none: string,
    at: number | undefined,
    choose: (at: number | undefined) => void,
    error?: string | false,
  ) => (
    <NativeSelect
      error={error}
      label={label}
      value={at ?? ''}
      data={[
        { value: '', label: none },
        ...header.map((name, column) => ({ value: String(column), label: name || String(column + 1) })),
      ]}
      onChange={({ currentTarget: { value } }) => choose(value === '' ? undefined : Number(value))}
    />
  )
  const without = <Of,>(all: Readonly<Record<string, Of>>, key: string, at: Of | undefined) => {
    const { [key]: _, ...others } = all
    return at === undefined ? others : { ...others, [key]: at }
  }
  const { fields, values: columns } = mapping
  const shown = isOfContacts(table) ? [] : csvFields.filter(field => field === 'phone' || fields[field] !== undefined)
  const withoutColumn = { ...detail, variables: detail.variables.filter(({ key }) => columns[key] === undefined) }
  const further = valueFieldsOf(withoutColumn).filter(field => !mayHaveColumn(field))
  const inTexts = further.filter(({ part }) => part === 'body')
  const others = further.filter(({ part }) => part !== 'body')
  const { items, wrong } = made
  return (
    <Section title={words.steps.values}>
      <div className="tiles" style={{ ...tile('18rem'), marginBottom: 'var(--mantine-spacing-sm)' }}>
        {shown.map(field => (
          <Fragment key={field}>
            {choice(
              <bdi>{words.fields[field]}</bdi>,
              words.noColumn,
              fields[field],
              at => onMapping({ ...mapping, fields: without(fields, field, at) }),
              shown.every(one => fields[one] === undefined) && words.recipientNeeded,
            )}
          </Fragment>
        ))}
        {columnValues(detail).map(field => {
          const { key, label, isRequired, example } = field
          const written = values.variables[key] ?? ''
          const isShared = columns[key] === undefined
          return (
            <Stack key={key} gap={6}>
              {choice(
                <ValueName field={field} value={(isShared ? written : header[columns[key] ?? 0]) ?? ''} />,
                words.sameForAll,
                columns[key],
                at => onMapping({ ...mapping, values: without(columns, key, at) }),
              )}
              {isShared && (
                <TextInput
                  aria-label={label}
                  placeholder={example ? templates.forExample(example) : isRequired ? '' : templates.optional}
                  value={written}
                  error={isRequired && left.has(key) && written.trim() === '' && words.needed}
                  onBlur={() => setLeft(new Set([...left, key]))}
                  onChange={({ currentTarget: { value } }) =>
                    onValues({ ...values, variables: { ...values.variables, [key]: value } })
                  }
                />
              )}
              {inTexts.some(other => other.key === key) && (
                <ValueFields
                  {...{ detail, values, fields: inTexts.filter(other => other.key === key) }}
                  onChange={onValues}
                  hint={null}
                />
              )}
            </Stack>
          )
        })}
      </div>
      {others.length > 0 && (
        <ValueFields {...{ detail, values, fields: others }} onChange={onValues} hint={words.sameForAll} />
      )}
      <Text size="sm" my="sm" fw={600} role="status">
        {words.good(items.length, whole(items.length))}
      </Text>
      {wrong.length > 0 && (
        <Warning title={words.bad(wrong.length, whole(wrong.length))}>
          <List size="sm">
            {wrong.slice(0, wrongShown).map(({ row, column, code }) => (
              <List.Item key={row}>
                {words.row(String(row), [column, words.wrong[code]].filter(Boolean).join(': '))}
              </List.Item>
            ))}
          </List>
          {wrong.length > wrongShown && words.moreBad(whole(wrong.length - wrongShown))}
        </Warning>
      )}
    </Section>
  )
}
