"""One call of the official Python SDK, as its users make it: what comes is written to stdout, one JSON object a line.

    client.py URL KEY stream TEXT [CONTEXT_ID]
    client.py URL KEY resubscribe TASK_ID

The SDK's generation is that of the virtual environment; of 1.0 the binding is that of the variable A2A_BINDING. Exits with 1 and a traceback where the SDK raises.
"""

import asyncio
import importlib.metadata
import json
import os
import sys
import uuid

import httpx


def tell(**event):
    print(json.dumps(event), flush=True)


def tell_slash(event):
    """A Task, TaskStatusUpdateEvent or TaskArtifactUpdateEvent of 0.2 and 0.3."""
    context = event.context_id if hasattr(event, 'context_id') else event.contextId
    if event.kind == 'task':
        tell(kind='task', id=event.id, context=context, state=event.status.state.value, text=None)
    elif event.kind == 'status-update':
        said = event.status.message.parts[0].root.text if event.status.message else None
        tell(kind='status', state=event.status.state.value, text=said, context=context, final=event.final)
    else:
        tell(
            kind='artifact',
            text=event.artifact.parts[0].root.text,
            append=bool(event.append),
            last=bool(event.lastChunk if hasattr(event, 'lastChunk') else event.last_chunk),
            context=context,
        )


async def with_0_2(http, url, call, argument, context):
    from a2a.client import A2AClient
    from a2a.types import MessageSendParams, SendStreamingMessageRequest

    client = await A2AClient.get_client_from_agent_card_url(http, url)
    message = {'kind': 'message', 'role': 'user', 'messageId': str(uuid.uuid4())}
    message['parts'] = [{'kind': 'text', 'text': argument}]
    if context:
        message['contextId'] = context
    request = SendStreamingMessageRequest(id='1', params=MessageSendParams(message=message))
    async for response in client.send_message_streaming(request):
        tell_slash(response.root.result)


async def with_0_3(http, url, call, argument, context):
    from a2a.client import ClientConfig, ClientFactory
    from a2a.types import Message, Part, Role, TaskIdParams, TextPart

    client = await ClientFactory.connect(url, ClientConfig(httpx_client=http, streaming=True))
    if call == 'stream':
        parts = [Part(root=TextPart(text=argument))]
        message = Message(role=Role.user, message_id=str(uuid.uuid4()), parts=parts, context_id=context)
        events = client.send_message(message)
    else:
        events = client.resubscribe(TaskIdParams(id=argument))
    async for task, update in events:
        tell_slash(update or task)
        # the SDK puts chunks of artifacts together
        if task.artifacts:
            whole = [''.join(part.root.text for part in artifact.parts) for artifact in task.artifacts]
            tell(kind='whole', text=whole[0], artifacts=len(whole), context=task.context_id)


async def verify(http, url):
    """Raises unless the card is signed with a key that is where it says, at the origin of the card."""
    from a2a.client import A2ACardResolver
    from a2a.utils.signing import create_signature_verifier
    from jwt import PyJWKSet

    origin = str(httpx.URL(url).copy_with(path='/'))
    keys = PyJWKSet.from_dict(httpx.get(f'{origin}.well-known/jwks.json').raise_for_status().json())

    def key_of(kid, jku):
        assert jku == f'{origin}.well-known/jwks.json', jku
        return keys[kid]

    verifier = create_signature_verifier(key_of, ['ES256'])
    await A2ACardResolver(http, url).get_agent_card(signature_verifier=verifier)


async def with_1_0(http, url, call, argument, context):
    from a2a.client import ClientConfig
    from a2a.client.client_factory import create_client
    from a2a.types import a2a_pb2 as pb

    await verify(http, url)
    bindings = [os.environ.get('A2A_BINDING', 'JSONRPC')]
    config = ClientConfig(httpx_client=http, streaming=True, supported_protocol_bindings=bindings)
    client = await create_client(url, config)
    if call == 'stream':
        message = pb.Message(message_id=str(uuid.uuid4()), role=pb.ROLE_USER, parts=[pb.Part(text=argument)])
        if context:
            message.context_id = context
        events = client.send_message(pb.SendMessageRequest(message=message))
    else:
        events = client.subscribe(pb.SubscribeToTaskRequest(id=argument))
    state = lambda status: pb.TaskState.Name(status.state).removeprefix('TASK_STATE_').lower().replace('_', '-')
    async for event in events:
        kind = event.WhichOneof('payload')
        if kind == 'task':
            tell(kind='task', id=event.task.id, context=event.task.context_id, state=state(event.task.status), text=None)
        elif kind == 'status_update':
            update = event.status_update
            said = update.status.message.parts[0].text if update.status.HasField('message') else None
            tell(kind='status', state=state(update.status), text=said, context=update.context_id)
        else:
            update = event.artifact_update
            tell(
                kind='artifact',
                text=update.artifact.parts[0].text,
                append=update.append,
                last=update.last_chunk,
                context=update.context_id,
            )


async def main(url, key, call, argument, context=None):
    generation = importlib.metadata.version('a2a-sdk')
    run = with_0_2 if generation.startswith('0.2.') else with_0_3 if generation.startswith('0.3.') else with_1_0
    async with httpx.AsyncClient(headers={'Authorization': f'Bearer {key}', 'A2A-Extensions': 'urn:hivekeep:a2a:thoughts:v1'}, timeout=30) as http:
        await run(http, url, call, argument, context)


asyncio.run(main(*sys.argv[1:]))
