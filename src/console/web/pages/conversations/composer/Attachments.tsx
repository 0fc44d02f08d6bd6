import { Button, Checkbox, CloseButton, Group, Loader, Text } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Hint } from '../../../components/Hint.tsx'
import { composer as words } from '../../../texts/en/composer.ts'
import { SentFile } from '../SentFile.tsx'
import type { ChosenFile } from './composition.ts'
import type { Uploading } from './useUpload.ts'

/** What will be sent: pictures and sounds as they are, anything else by its name. Each is a message of its own. */
export function Attachments(props: {
  files: readonly ChosenFile[]
  uploading: readonly Uploading[]
  onChange: (files: readonly ChosenFile[]) => void
  onAgain: (one: Uploading) => void
  onDrop: (one: Uploading) => void
}) {
  const { files, uploading, onChange, onAgain, onDrop } = props
  if (files.length + uploading.length === 0) return null
  return (
    <ul className="plain-list composer-files">
      {files.map(file => (
        <Attachment
          key={file.id}
          name={file.name}
          picture={file.type === 'document' || file.type === 'video' ? null : <Preview file={file} />}
          onDrop={() => onChange(files.filter(one => one !== file))}
        >
          {file.type === 'audio' && (
            <Checkbox
              size="xs"
              label={words.voice}
              checked={file.isVoice}
              onChange={event => {
                const isVoice = event.currentTarget.checked
                onChange(files.map(one => (one === file ? { ...file, isVoice } : one)))
              }}
            />
          )}
        </Attachment>
      ))}
      {uploading.map(one => (
        <Attachment key={one.key} name={one.file.name} picture={null} onDrop={() => onDrop(one)}>
          {one.problem === null ? (
            <Group gap={6}>
              <Loader size={14} />
              <Hint>{words.uploading}</Hint>
            </Group>
          ) : (
            <Group gap={6} role="alert">
              <Text size="xs" c="red">
                {one.problem.why}
              </Text>
              {one.problem.isTemporary ? (
                <Button size="xs" variant="default" onClick={() => onAgain(one)}>
                  {words.uploadAgain}
                </Button>
              ) : (
                <Button size="xs" variant="default" onClick={() => onDrop(one)}>
                  {words.remove}
                </Button>
              )}
            </Group>
          )}
        </Attachment>
      ))}
    </ul>
  )
}

function Attachment(props: { name: string; picture: ReactNode; onDrop: () => void; children: ReactNode }) {
  const { name, picture, onDrop, children } = props
  return (
    <li className="composer-strip">
      <div className="composer-file">
        {picture ?? <IconFile size={22} stroke={1.4} style={{ flexShrink: 0 }} />}
        <div>
          <Text size="sm" lineClamp={2} className="breakable" dir="auto" title={name}>
            {name}
          </Text>
          {children}
        </div>
      </div>
      <CloseButton size="sm" aria-label={words.dropFile(name)} onClick={onDrop} />
    </li>
  )
}

/** As the browser is told what it shows; the gateway has looked at the bytes. */
const shownTypes = { image: 'image/png', sticker: 'image/webp', audio: 'audio/ogg', video: null, document: null }

/** Of the file that the gateway has: it is there after a reload, too. */
const Preview = ({ file: { id, name, type } }: { file: ChosenFile }) => (
  <div className="composer-picture">
    <SentFile
      file={{
        ...{ id, state: 'stored', mimeType: shownTypes[type], bytes: null, saveAs: name },
        shownAs: type === 'audio' ? 'audio' : 'image',
      }}
      type={type}
      isBare
    />
  </div>
)
