import { Button, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { isMedia } from '../../../../templates/authoring/draft.ts'
import { Hint } from '../../components/Hint.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { composer as words } from '../../texts/en/composer.ts'
import { Header } from './PhonePreview.tsx'
import { type ShownTemplate, useTemplates } from './queries.ts'

/** The category whose messages people may stop. */
export const marketing = 'MARKETING'

interface Props {
  readonly phoneNumberId: string
  /** Said of marketing. */
  readonly marketingNote: ReactNode
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
        aria-label={words.searchTemplates}
        placeholder={`${words.searchTemplates}…`}
        value={search}
        onChange={event => {
          setSearch(event.currentTarget.value)
          setOffset(0)
        }}
      />
      <Loaded query={list}>
        {({ templates, next }) =>
          templates.length === 0 ? (
            <Hint>{words.noTemplates}</Hint>
          ) : (
            <>
              <ul className="plain-list ruled-list">
                {templates.map(template => (
                  <li key={template.id}>
                    <UnstyledButton className="template-pick" onClick={() => onChoose(template.id)}>
                      <Entry template={template} marketingNote={marketingNote} />
                    </UnstyledButton>
                  </li>
                ))}
              </ul>
              {next !== null && (
                <Button variant="default" size="compact-sm" onClick={() => setOffset(next)}>
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

function Entry({ template, marketingNote }: { template: ShownTemplate } & Pick<Props, 'marketingNote'>) {
  const {
    name,
    language,
    category,
    draft: { header, body },
  } = template
  return (
    <>
      {isMedia(header) && (
        <div className="template-thumb phone" aria-hidden>
          <Header {...{ header, values: {}, place: 0 }} template={header.kind === 'image' ? template : undefined} />
        </div>
      )}
      <div>
        <Text size="sm" fw={600}>
          {name}{' '}
          <Text span size="xs" c="dimmed">
            {language}
            {category === marketing && marketingNote}
          </Text>
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2} dir="auto">
          {body.text}
        </Text>
      </div>
    </>
  )
}
