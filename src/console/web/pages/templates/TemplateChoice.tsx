import { Button, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { isMedia } from '../../../../templates/authoring/draft.ts'
import { segmentsOf } from '../../../../templates/authoring/texts.ts'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { composer as words } from '../../texts/en/composer.ts'
import { templates as names } from '../../texts/en/templates.ts'
import { languageName } from './languageNames.ts'
import { Header } from './PhonePreview.tsx'
import { type ShownTemplate, useTemplates } from './queries.ts'

/** The category whose messages people may stop. */
export const marketing = 'MARKETING'

interface Props {
  readonly phoneNumberId: string
  /** Said of marketing. */
  readonly marketingNote?: ReactNode
  readonly onChoose: (templateId: string) => void
  /** Of a dialog. */
  readonly isFocused?: boolean
}

/** Chooses an approved template of a line, by its name or its words. */
export function TemplateChoice({ phoneNumberId, marketingNote, onChoose, isFocused = false }: Props) {
  const [search, setSearch] = useState('')
  const [offset, setOffset] = useState(0)
  const list = useTemplates(phoneNumberId, { search, status: 'APPROVED', offset })
  return (
    <Stack gap="xs">
      <TextInput
        data-autofocus={isFocused || undefined}
        type="search"
        leftSection={<IconSearch size={16} />}
        aria-label={words.searchTemplates}
        placeholder={`${words.searchTemplates}…`}
        value={search}
        onChange={event => {
          setSearch(event.currentTarget.value)
          setOffset(0)
        }}
      />
      <Loaded query={list} waiting={<TemplatesAwaited />}>
        {({ templates, next }) =>
          templates.length === 0 ? (
            <Hint>{words.noTemplates}</Hint>
          ) : (
            <>
              <ul className="plain-list template-choices">
                {templates.map(template => (
                  <li key={template.id}>
                    <UnstyledButton className="template-pick" onClick={() => onChoose(template.id)}>
                      <Entry template={template} marketingNote={marketingNote} />
                    </UnstyledButton>
                  </li>
                ))}
              </ul>
              {next !== null && (
                <Button variant="default" size="xs" onClick={() => setOffset(next)}>
                  {words.moreTemplates}
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </Stack>
  )
}

/** While the templates, or the line that they are of, are read. */
export const TemplatesAwaited = () => <Placeholder h={320} />

function Entry({ template, marketingNote }: { template: ShownTemplate } & Pick<Props, 'marketingNote'>) {
  const { name, language, category, draft } = template
  const { header, body } = draft
  // As its people will read it; the text of a code is the platform's.
  const text =
    draft.category === 'AUTHENTICATION'
      ? names.codeBody(names.code).replaceAll('*', '')
      : segmentsOf(body.text, key => body.examples[key])
          .map(({ text }) => text)
          .join('')
  return (
    <>
      <div style={{ flex: 1 }}>
        <Text size="sm" fw={600}>
          {name}{' '}
          <Text span size="xs" c="dimmed" display="block">
            {languageName(language)} · {names.categories[category as keyof typeof names.categories] ?? category}
            {category === marketing && marketingNote}
          </Text>
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2} dir="auto">
          {text}
        </Text>
      </div>
      {/* At the end: the names have one edge. */}
      {isMedia(header) && (
        <div className="template-thumb phone" aria-hidden>
          <Header {...{ header, values: {}, place: 0 }} template={header.kind === 'image' ? template : undefined} />
        </div>
      )}
    </>
  )
}
