import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import { nameLengthMax } from '../../../../base/names.ts'
import type { CsvItem } from '../../../../batches/csvItems.ts'
import type { CsvMapping } from '../../../../batches/csvMapping.ts'
import type { CsvTable } from '../../../../batches/csvTable.ts'
import { noSendValues, type SendValues, sendFields } from '../../../../templates/authoring/values.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { DraftNotice, Form, useForm } from '../../components/Form.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { localDate } from '../../components/times.ts'
import { useContentKeys } from '../../components/useContentKeys.ts'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { composer } from '../../texts/en/composer.ts'
import { texts } from '../../texts/texts.ts'
import { languageName } from '../templates/languageNames.ts'
import { type TemplateDetail, useTemplate, useTemplateLines } from '../templates/queries.ts'
import { marketing, TemplateChoice, TemplatesAwaited } from '../templates/TemplateChoice.tsx'
import { isFilled } from '../templates/valueFields.ts'
import { columnValues, itemsIn, Mapping } from './Mapping.tsx'
import { People } from './People.tsx'
import { keepCampaign, usualMapping } from './people.ts'
import { Seen } from './Seen.tsx'
import { Steps } from './Steps.tsx'

/** So many real people are shown before anything is sent. */
const previewed = 3

/** Makes a campaign: its template, its people, what they will see. It ends as a draft, which has a page of its own. */
export function NewCampaignPage() {
  const { workspaceId, refresh } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  const [table, setTable] = useState<CsvTable | null>(null)
  const [given, setMapping] = useState<CsvMapping | null>(null)
  const [kept, setKept] = useState<number | null>(null)
  const keyOf = useContentKeys()
  const form = useForm({
    initial: { name: '', lineId: '', templateId: '', values: '' },
    draftWithout: [],
    send: ({ name }): Promise<string> => keep(name.trim() || usualName),
    onSuccess(id) {
      void refresh('campaigns')
      navigate(`/w/${workspaceId}/campaigns/${id}`)
    },
  })
  const { fields } = form
  const known = useTemplateLines()
  const lines = (known.data?.phoneNumbers ?? []).filter(({ active }) => active)
  const lineId = fields.lineId || (lines.find(({ isDefault }) => isDefault) ?? lines[0])?.id || ''
  const { data: detail, error } = useTemplate(fields.templateId || null)
  const usualName = `${detail?.template.name}, ${localDate(new Date())}`.slice(-nameLengthMax)
  const values = valuesIn(fields.values)
  const mapping =
    detail &&
    table &&
    (given ??
      usualMapping(
        table,
        columnValues(detail).map(({ key }) => key),
      ))
  const shared = detail && sendFields(detail.template.draft, values)
  const made = mapping && itemsIn(table, mapping, detail, shared?.templateVariables ?? {})
  const ready = detail &&
    table &&
    mapping &&
    made &&
    made.items.length > 0 &&
    isWhole(detail, values, mapping) && {
      items: made.items,
      defaults: {
        ...{ ...shared, templateVariables: undefined, type: 'template', phoneNumberId: lineId },
        ...{ templateName: detail.template.name, templateLanguage: detail.template.language },
      },
    }
  function choose(templateId: string) {
    form.set({ templateId, values: '' })
    setMapping(null)
  }
  async function keep(name: string): Promise<string> {
    if (!ready) throw new Error('the button needs all of it')
    const made = { name, defaults: ready.defaults, items: ready.items }
    return keepCampaign(workspaceId, { ...made, idempotencyKey: `console-${keyOf(JSON.stringify(made))}` }, setKept)
  }
  return (
    <>
      <PageHeader title={words.new} back={{ to: `/w/${workspaceId}/campaigns`, label: texts.shell.titles.campaigns }} />
      <Steps at={!detail ? 0 : !table ? 1 : !ready ? 2 : 3} />
      <div className="template-sides campaign-sides">
        <Stack>
          {form.isRestored && <DraftNotice onDiscard={form.reset} />}
          {detail && (
            <TextInput label={words.name} placeholder={usualName} maxLength={nameLengthMax} {...form.text('name')} />
          )}
          <Section
            title={words.template}
            hint={
              detail && (
                <>
                  <Text span inherit fw={600} c="var(--mantine-color-text)" className="breakable">
                    {detail.template.name}
                  </Text>{' '}
                  {languageName(detail.template.language)}
                  {detail.template.category === marketing && <Hint>{words.isMarketing}</Hint>}
                </>
              )
            }
            actions={
              detail && (
                <Button variant="default" size="xs" onClick={() => choose('')}>
                  {words.change}
                </Button>
              )
            }
          >
            {(lines.length > 1 || !detail) && (
              <Stack gap="xs">
                {lines.length > 1 && (
                  <NativeSelect
                    label={words.line}
                    value={lineId}
                    data={lines.map(line => ({ value: line.id, label: lineName(line) }))}
                    onChange={event => form.set({ lineId: event.currentTarget.value, templateId: '' })}
                  />
                )}
                {!detail && (
                  <Loaded query={known} waiting={<TemplatesAwaited />}>
                    {() =>
                      lineId === '' ? (
                        <Hint>{composer.noLine}</Hint>
                      ) : fields.templateId === '' || error ? (
                        <TemplateChoice phoneNumberId={lineId} onChoose={choose} />
                      ) : (
                        <TemplatesAwaited />
                      )
                    }
                  </Loaded>
                )}
              </Stack>
            )}
          </Section>
          {detail && (
            <People
              table={table}
              onTable={next => {
                setTable(next)
                setMapping(null)
              }}
            />
          )}
          {detail && table && mapping && made && (
            <Mapping
              {...{ table, mapping, detail, values, made }}
              onMapping={setMapping}
              onValues={next => form.set({ values: JSON.stringify(next) })}
            />
          )}
          {detail && (
            <div className="editor-bar campaign-foot">
              <Form form={{ ...form, isRestored: false }} submit={words.keep} isReady={Boolean(ready)}>
                {made && !ready && <Hint>{words.missing}</Hint>}
                {form.sent.isPending && ready && (
                  <Hint>{words.keeping(whole(kept ?? 0), whole(ready.items.length))}</Hint>
                )}
              </Form>
            </div>
          )}
        </Stack>
        {detail && (
          <div className="template-aside">
            {ready ? (
              <Seen people={seenOf(table, detail, values, ready.items)} lineId={lineId} />
            ) : (
              <Seen
                people={[{ name: '', template: detail.template, draft: detail.template.draft, values }]}
                lineId={null}
              />
            )}
          </div>
        )}
      </div>
    </>
  )
}

/** What a column of names is called. */
const isName = (header: string) => /^(name|nombre|nome)$/i.test(header)

/** The first of them, with what each will see. */
const seenOf = (table: CsvTable, { template }: TemplateDetail, values: SendValues, items: readonly CsvItem[]) =>
  items.slice(0, previewed).map(({ row, item }) => {
    const own = item.templateVariables as SendValues['variables']
    const called = table.rows.find(one => one.row === row)?.cells[table.header.findIndex(isName)]
    const name = [called, item.phone ?? item.contactId ?? item.userId].filter(Boolean).join(' · ')
    return { name, template, draft: template.draft, values: { ...values, variables: { ...values.variables, ...own } } }
  })

/** As the form keeps them. */
function valuesIn(kept: string): SendValues {
  return kept === '' ? noSendValues : (JSON.parse(kept) as SendValues)
}

/** Whether each value that the template needs has a column or a text. */
const isWhole = (detail: TemplateDetail, values: SendValues, mapping: CsvMapping) =>
  isFilled(detail, {
    ...values,
    variables: { ...values.variables, ...Object.fromEntries(Object.keys(mapping.values).map(key => [key, key])) },
  })
