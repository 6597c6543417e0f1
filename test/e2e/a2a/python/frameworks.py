"""One conversation of a framework's own A2A client with an agent, as its users write it.

    frameworks.py FRAMEWORK URL TOKEN TEXT...

Each TEXT is a turn. What each turn came to is told on stdout, one JSON object a line. Exits with 1
and a traceback where the framework raises.
"""

import asyncio
import json
import sys

import httpx


def tell(**event):
    # in one piece, because frameworks write there, too
    print(f'\n{json.dumps(event)}\n', end='', flush=True)


async def strands(url, http, texts):
    from a2a.client import ClientConfig
    from strands.agent.a2a_agent import A2AAgent

    agent = A2AAgent(endpoint=url + '/', client_config=ClientConfig(httpx_client=http))
    await agent.get_agent_card()
    for text in texts:
        events = 0
        async for event in agent.stream_async(text):
            events += 1
            if 'result' in event:
                result = event['result']
        said = ''.join(block.get('text', '') for block in result.message['content'])
        sent = await agent.invoke_async(text) if result.stop_reason == 'end_turn' else None
        tell(
            answer=said,
            card=agent.name,
            waits=result.stop_reason == 'interrupt',
            streamed=events > 2,
            sent=sent and ''.join(block.get('text', '') for block in sent.message['content']),
        )


async def agent_framework(url, http, texts):
    from agent_framework_a2a import A2AAgent

    async with A2AAgent(url=url, http_client=http) as agent:
        session = agent.create_session()
        for text in texts:
            said = ''
            async for update in agent.run(text, stream=True, session=session):
                said += update.text
            tell(answer=said)


async def google_adk(url, http, texts):
    from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    agent = RemoteA2aAgent('remote', f'{url}/.well-known/agent-card.json', httpx_client=http)
    runner = InMemoryRunner(agent, app_name='test')
    session = await runner.session_service.create_session(app_name='test', user_id='ada')
    for text in texts:
        said, events, waits = '', 0, False
        message = types.Content(role='user', parts=[types.Part(text=text)])
        async for event in runner.run_async(user_id='ada', session_id=session.id, new_message=message):
            events += 1
            waits = waits or bool(event.long_running_tool_ids)
            for part in event.content.parts if event.content and event.content.parts else []:
                if part.text and not part.thought and not event.partial:
                    said += part.text
                if part.function_call:
                    said += part.function_call.args['input_required']
        tell(answer=said, card='knows things' in agent.description, streamed=events > 1, waits=waits)


async def beeai(url, http, texts):
    from a2a.client import A2ACardResolver
    from beeai_framework.adapters.a2a.agents import A2AAgent
    from beeai_framework.memory import UnconstrainedMemory

    # it reads cards without a credential, so that it is given one
    card = await A2ACardResolver(http, f'{url}/').get_agent_card()
    agent = A2AAgent(agent_card=card, memory=UnconstrainedMemory())
    for text in texts:
        events = []
        run = agent.run(text, httpx_client=http)
        said = await run.on('update', lambda data, _: events.append(data))
        tell(answer=said.last_message.text, card=agent.name, streamed=len(events) > 1)


async def crewai(url, http, texts):
    from crewai.a2a.auth.client_schemes import BearerTokenAuth
    from crewai.a2a.utils.delegation import aexecute_a2a_delegation

    auth = BearerTokenAuth(token=http.headers['Authorization'].removeprefix('Bearer '))
    history, task, context = [], None, None
    for text in texts:
        came = await aexecute_a2a_delegation(
            endpoint=f'{url}/.well-known/agent-card.json',
            auth=auth,
            timeout=60,
            task_description=text,
            conversation_history=history,
            task_id=task,
            context_id=context,
        )
        history = came['history']
        last = history[-1] if history else None
        context = last and last.context_id
        waits = came['status'].value == 'input-required'
        task = last.task_id if waits and last else None
        tell(
            answer=came.get('result') or came.get('error'),
            card=came['agent_card']['name'],
            waits=waits,
        )


async def main(framework, url, token, *texts):
    async with httpx.AsyncClient(headers={'Authorization': f'Bearer {token}'}, timeout=60) as http:
        await globals()[framework](url, http, texts)


asyncio.run(main(*sys.argv[1:]))
