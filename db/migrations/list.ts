import type { Migration } from '../migrations.ts'
import _0000_init from './0000_init.sql' with { type: 'text' }
import _0001_lists_by_workspace from './0001_lists_by_workspace.sql' with { type: 'text' }
import _0002_events from './0002_events.sql' with { type: 'text' }
import _0003_inbound_lists from './0003_inbound_lists.sql' with { type: 'text' }
import _0004_webhooks from './0004_webhooks.sql' with { type: 'text' }
import _0005_media from './0005_media.sql' with { type: 'text' }
import _0006_sign_ins from './0006_sign_ins.sql' with { type: 'text' }
import _0007_conversations from './0007_conversations.sql' with { type: 'text' }
import _0008_requests from './0008_requests.sql' with { type: 'text' }
import _0009_flows from './0009_flows.sql' with { type: 'text' }
import _0010_file_shares from './0010_file_shares.sql' with { type: 'text' }
import _0011_erasures from './0011_erasures.sql' with { type: 'text' }
import _0012_former_user_ids from './0012_former_user_ids.sql' with { type: 'text' }
import _0013_usernames from './0013_usernames.sql' with { type: 'text' }
import _0014_template_language from './0014_template_language.sql' with { type: 'text' }
import _0015_monthly_ceilings from './0015_monthly_ceilings.sql' with { type: 'text' }
import _0016_put_away from './0016_put_away.sql' with { type: 'text' }
import _0017_reference from './0017_reference.sql' with { type: 'text' }
import _0018_pricing from './0018_pricing.sql' with { type: 'text' }
import _0019_key_scopes from './0019_key_scopes.sql' with { type: 'text' }
import _0020_wide_workspace_index from './0020_wide_workspace_index.sql' with { type: 'text' }
import _0021_direct_send from './0021_direct_send.sql' with { type: 'text' }
import _0022_conversation_states from './0022_conversation_states.sql' with { type: 'text' }
import _0023_line_name from './0023_line_name.sql' with { type: 'text' }
import _0024_key_lines from './0024_key_lines.sql' with { type: 'text' }
import _0025_keys_of_callers_once from './0025_keys_of_callers_once.sql' with { type: 'text' }
import _0026_webhook_format from './0026_webhook_format.sql' with { type: 'text' }
import _0027_own_id from './0027_own_id.sql' with { type: 'text' }
import _0028_tokens from './0028_tokens.sql' with { type: 'text' }
import _0029_template_generation from './0029_template_generation.sql' with { type: 'text' }
import _0030_number_spellings from './0030_number_spellings.sql' with { type: 'text' }
import _0031_message_again from './0031_message_again.sql' with { type: 'text' }
import _0032_line_facts from './0032_line_facts.sql' with { type: 'text' }
import _0033_platform_types from './0033_platform_types.sql' with { type: 'text' }
import _0034_unread_mark from './0034_unread_mark.sql' with { type: 'text' }
import _0035_deleted_messages from './0035_deleted_messages.sql' with { type: 'text' }
import _0036_line_label from './0036_line_label.sql' with { type: 'text' }
import _0037_preferences from './0037_preferences.sql' with { type: 'text' }
import _0038_sent_files from './0038_sent_files.sql' with { type: 'text' }
import _0039_price_rates from './0039_price_rates.sql' with { type: 'text' }
import _0040_blocked_contacts from './0040_blocked_contacts.sql' with { type: 'text' }
import _0041_scheduled from './0041_scheduled.sql' with { type: 'text' }
import _0042_batches from './0042_batches.sql' with { type: 'text' }
import _0043_opt_outs from './0043_opt_outs.sql' with { type: 'text' }
import _0044_quiet_hours from './0044_quiet_hours.sql' with { type: 'text' }
import _0045_unsettled_by_comparison from './0045_unsettled_by_comparison.sql' with { type: 'text' }
import _0046_spoken from './0046_spoken.sql' with { type: 'text' }
import _0047_listed_unsettled from './0047_listed_unsettled.sql' with { type: 'text' }
import _0048_settings_generation from './0048_settings_generation.sql' with { type: 'text' }
import _0049_erased_until from './0049_erased_until.sql' with { type: 'text' }

/** Every migration, oldest first, embedded in the executable. `bun run migration` writes this file. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0000_init', sql: _0000_init },
  { name: '0001_lists_by_workspace', sql: _0001_lists_by_workspace },
  { name: '0002_events', sql: _0002_events },
  { name: '0003_inbound_lists', sql: _0003_inbound_lists },
  { name: '0004_webhooks', sql: _0004_webhooks },
  { name: '0005_media', sql: _0005_media },
  { name: '0006_sign_ins', sql: _0006_sign_ins },
  { name: '0007_conversations', sql: _0007_conversations },
  { name: '0008_requests', sql: _0008_requests },
  { name: '0009_flows', sql: _0009_flows },
  { name: '0010_file_shares', sql: _0010_file_shares },
  { name: '0011_erasures', sql: _0011_erasures },
  { name: '0012_former_user_ids', sql: _0012_former_user_ids },
  { name: '0013_usernames', sql: _0013_usernames },
  { name: '0014_template_language', sql: _0014_template_language },
  { name: '0015_monthly_ceilings', sql: _0015_monthly_ceilings },
  { name: '0016_put_away', sql: _0016_put_away },
  { name: '0017_reference', sql: _0017_reference },
  { name: '0018_pricing', sql: _0018_pricing },
  { name: '0019_key_scopes', sql: _0019_key_scopes },
  { name: '0020_wide_workspace_index', sql: _0020_wide_workspace_index },
  { name: '0021_direct_send', sql: _0021_direct_send },
  { name: '0022_conversation_states', sql: _0022_conversation_states },
  { name: '0023_line_name', sql: _0023_line_name },
  { name: '0024_key_lines', sql: _0024_key_lines },
  { name: '0025_keys_of_callers_once', sql: _0025_keys_of_callers_once },
  { name: '0026_webhook_format', sql: _0026_webhook_format },
  { name: '0027_own_id', sql: _0027_own_id },
  { name: '0028_tokens', sql: _0028_tokens },
  { name: '0029_template_generation', sql: _0029_template_generation },
  { name: '0030_number_spellings', sql: _0030_number_spellings },
  { name: '0031_message_again', sql: _0031_message_again },
  { name: '0032_line_facts', sql: _0032_line_facts },
  { name: '0033_platform_types', sql: _0033_platform_types },
  { name: '0034_unread_mark', sql: _0034_unread_mark },
  { name: '0035_deleted_messages', sql: _0035_deleted_messages },
  { name: '0036_line_label', sql: _0036_line_label },
  { name: '0037_preferences', sql: _0037_preferences },
  { name: '0038_sent_files', sql: _0038_sent_files },
  { name: '0039_price_rates', sql: _0039_price_rates },
  { name: '0040_blocked_contacts', sql: _0040_blocked_contacts },
  { name: '0041_scheduled', sql: _0041_scheduled },
  { name: '0042_batches', sql: _0042_batches },
  { name: '0043_opt_outs', sql: _0043_opt_outs },
  { name: '0044_quiet_hours', sql: _0044_quiet_hours },
  { name: '0045_unsettled_by_comparison', sql: _0045_unsettled_by_comparison },
  { name: '0046_spoken', sql: _0046_spoken },
  { name: '0047_listed_unsettled', sql: _0047_listed_unsettled },
  { name: '0048_settings_generation', sql: _0048_settings_generation },
  { name: '0049_erased_until', sql: _0049_erased_until },
]
