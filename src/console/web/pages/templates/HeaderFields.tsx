import { Anchor, FileInput, Loader, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { headerCharsMax } from '../../../../base/upstreamLimits.ts'
import { type HeaderDraft, isMedia, type MediaKind } from '../../../../templates/authoring/draft.ts'
import { variablesIn } from '../../../../templates/authoring/texts.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Warning } from '../../components/Warning.tsx'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { type Editing, fieldOf, textsOf } from './draftState.ts'
import { uploadExample } from './queries.ts'
import { CharCounter } from './TextFields.tsx'
import { acceptedTypes } from './valueFields.ts'

const words = templateWords.editor

/** Where example files are uploaded to. */
export interface UploadTarget {
  readonly phoneNumberId: string
  readonly channelId: string
  /** The channel has its app id. */
  readonly canUpload: boolean
}

/** What the header of a message or a card holds; its kind is chosen elsewhere. */
export function HeaderFields(props: Editing<HeaderDraft> & { target: UploadTarget }) {
  const { part: header, target } = props
  const { id } = useWorkspace()
  if (header.kind === 'text') {
    const text = textsOf({ ...props, part: header })
    const [variable] = variablesIn(header.text)
    return (
      <Stack gap="sm">
        <TextInput
          label={words.headerText}
          required
          rightSection={<CharCounter text={header.text} max={headerCharsMax} />}
          rightSectionWidth={64}
          {...text('text')}
        />
        {variable !== undefined && <TextInput label={words.exampleFor(variable)} required {...text('example')} />}
      </Stack>
    )
  }
  if (!isMedia(header)) return null
  if (!target.canUpload) {
    return (
      <Warning title={words.noApp}>
        <Anchor component={Link} href={`/w/${id}/channels/${target.channelId}#secrets`} size="sm">
          {words.setApp}
        </Anchor>
      </Warning>
    )
  }
  return <ExampleFile {...props} part={header} />
}

function ExampleFile(props: Editing<Extract<HeaderDraft, { kind: MediaKind }>> & { target: UploadTarget }) {
  const { state, part: header, path, target, onChange } = props
  const { id } = useWorkspace()
  const upload = useMutation({
    mutationFn: (file: File) => uploadExample(id, target.phoneNumberId, header.kind, file),
    onSuccess: (handle, file) => onChange({ kind: header.kind, handle, fileName: file.name }),
  })
  return (
    <Stack gap="xs">
      <FileInput
        label={words.file}
        description={words.fileHints[header.kind]}
        placeholder={header.fileName || words.chooseFile}
        accept={acceptedTypes[header.kind]}
        required
        leftSection={upload.isPending ? <Loader size={16} /> : <IconUpload size={16} />}
        onChange={file => file && upload.mutate(file)}
        {...fieldOf(state, `${path}/handle`)}
      />
      {upload.isPending && <Text size="sm">{words.uploading}</Text>}
      {header.handle !== '' && !upload.isPending && (
        <Hint>
          <IconCheck size={14} /> {words.uploaded}: {header.fileName}
        </Hint>
      )}
      {upload.error && <ErrorView error={upload.error} />}
    </Stack>
  )
}
