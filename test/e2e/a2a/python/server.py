"""An agent of the official Python SDK to be asked: "slow ..." works for a moment, "ask ..." asks which one, and anything else is answered at once with "heard ...".

    server.py PORT

The SDK's generation is that of the virtual environment; the binding is that of the variable A2A_BINDING. Writes "ready" to stdout.
"""

import asyncio
import importlib.metadata
import os
import sys

import httpx
import uvicorn

release = importlib.metadata.version('a2a-sdk')
binding = os.environ.get('A2A_BINDING', 'JSONRPC')
port = int(sys.argv[1])
# it pushes, and has no streams
pushes = os.environ.get('A2A_PUSHES') == '1'
url = f'http://127.0.0.1:{port}/'


def work(text):
    """What comes of a message: how long it takes, the question that it leads to, and what is said."""
    if text.startswith('ask'):
        return 0, 'which one?', None
    return 0.4 if text.startswith('slow') else 0, None, f'heard {text}'


def capabilities_of(capabilities):
    return capabilities(streaming=not pushes, push_notifications=pushes) if release.startswith('1.') else capabilities(streaming=not pushes, pushNotifications=pushes)


if release.startswith('1.'):
    from a2a.helpers import new_task_from_user_message, new_text_part
    from a2a.server.agent_execution import AgentExecutor
    from a2a.server.request_handlers import DefaultRequestHandler
    from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
    from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
    from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
    from starlette.applications import Starlette

    def part(text):
        return new_text_part(text)

    card = AgentCard(
        name='peer',
        description='A peer of the SDK.',
        version='1',
        capabilities=capabilities_of(AgentCapabilities),
        default_input_modes=['text/plain'],
        default_output_modes=['text/plain'],
        supported_interfaces=[AgentInterface(url=url, protocol_binding=binding, protocol_version='1.0')],
        skills=[AgentSkill(id='s', name='s', description='s', tags=['s'])],
    )

    def first_task(context):
        return new_task_from_user_message(context.message)

    def application(handler):
        routes = create_rest_routes(handler) if binding == 'HTTP+JSON' else create_jsonrpc_routes(handler, '/')
        return Starlette(routes=[*create_agent_card_routes(card), *routes])

    def handler_of(executor):
        return DefaultRequestHandler(agent_executor=executor, task_store=InMemoryTaskStore(), agent_card=card, **pushing())

    def ids(task):
        return task.id, task.context_id
else:
    from a2a.server.agent_execution import AgentExecutor
    from a2a.server.request_handlers import DefaultRequestHandler
    from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
    from a2a.types import AgentCapabilities, AgentCard, AgentSkill, Part, TextPart
    from a2a.utils import new_task

    def part(text):
        return Part(root=TextPart(text=text))

    more = {'preferred_transport': binding} if release.startswith('0.3') else {}
    card = AgentCard(
        name='peer',
        description='A peer of the SDK.',
        url=url,
        version='1',
        capabilities=capabilities_of(AgentCapabilities),
        defaultInputModes=['text/plain'],
        defaultOutputModes=['text/plain'],
        skills=[AgentSkill(id='s', name='s', description='s', tags=['s'])],
        **more,
    )

    def first_task(context):
        return new_task(context.message)

    def application(handler):
        if binding == 'HTTP+JSON':
            from a2a.server.apps import A2ARESTFastAPIApplication

            return A2ARESTFastAPIApplication(agent_card=card, http_handler=handler).build()
        from a2a.server.apps import A2AStarletteApplication

        return A2AStarletteApplication(agent_card=card, http_handler=handler).build()

    def handler_of(executor):
        return DefaultRequestHandler(agent_executor=executor, task_store=InMemoryTaskStore(), **pushing())

    def ids(task):
        return task.id, task.context_id if hasattr(task, 'context_id') else task.contextId


def pushing():
    if not pushes:
        return {}
    from a2a.server.tasks import BasePushNotificationSender, InMemoryPushNotificationConfigStore

    store = InMemoryPushNotificationConfigStore()
    return {'push_config_store': store, 'push_sender': BasePushNotificationSender(httpx.AsyncClient(), store)}


class Executor(AgentExecutor):
    async def execute(self, context, event_queue):
        seconds, question, said = work(context.get_user_input())
        task = context.current_task
        if not task:
            task = first_task(context)
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, *ids(task))
        if question:
            from a2a.types import TaskState

            state = TaskState.TASK_STATE_INPUT_REQUIRED if release.startswith('1.') else TaskState.input_required
            await updater.update_status(state, updater.new_agent_message([part(question)]))
            return
        await updater.start_work()
        await asyncio.sleep(seconds)
        await updater.add_artifact([part(said)])
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


class Ready(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print('ready', flush=True)


Ready(uvicorn.Config(application(handler_of(Executor())), host='127.0.0.1', port=port, log_level='error')).run()
