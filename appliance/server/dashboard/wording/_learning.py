"""Words of models, benchmarks and training."""

from appliance.server.dashboard.wording._catalogue import Catalogue, Pair

WORDS: Catalogue = {
    "models.title": Pair("Models", "模型"),
    "models.lead": Pair(
        "A model takes over where reading the text literally is not enough, judges outcomes, and"
        " writes resource modules where none fits. None is needed: the rest is verified without.",
        "字面理解不足时由模型接手，并由模型评判结果、编写缺少的资源模块。没有模型也能验证其余内容。",
    ),
    "models.endpoint": Pair("Endpoint", "服务地址"),
    "models.name": Pair("Model", "模型"),
    "models.first": Pair("the first that it serves", "其提供的第一个"),
    "models.timeout": Pair("Longest wait", "最长等待"),
    "models.key": Pair("Key", "密钥"),
    "models.key.yes": Pair("configured", "已配置"),
    "models.key.no": Pair("none", "无"),
    "models.empty": Pair("No model", "未配置模型"),
    "models.empty.text": Pair(
        "None is needed to verify. To serve one on this machine, name a folder of weights in the"
        " settings; or name an OpenAI-compatible endpoint elsewhere:",
        "验证不需要模型。可在配置中填写本机的权重目录，或其他兼容 OpenAI 的服务地址：",
    ),
    "models.policies": Pair("Who decides what to click", "由谁决定操作"),
    "models.policy": Pair("Policy", "策略"),
    "models.what": Pair("What it does", "说明"),
    "models.here": Pair("in use", "可用"),
    "models.not_here": Pair("no model", "无模型"),
    "models.not_now": Pair("not now", "暂不可用"),
    "models.served": Pair("Served on this machine", "由本机提供"),
    "models.weights": Pair("Weights", "权重"),
    "models.since": Pair("Ready since", "就绪时间"),
    "models.restarts": Pair("Restarts", "重启次数"),
    "models.adapters": Pair("Adapters", "适配器"),
    "models.adapters.none": Pair("none", "无"),
    "models.memory": Pair("Memory", "显存"),
    "models.why": Pair("Why", "原因"),
    "models.said": Pair("Its last words", "最近日志"),
    "models.restart": Pair("Restart", "重启"),
    "models.restart.done": Pair(
        "It is started again: that takes some minutes.", "正在重启，需要几分钟。"
    ),
    "models.restart.none": Pair("No model is served on this machine.", "本机没有提供模型。"),
    "serverstate.starting": Pair("loads the weights", "正在加载"),
    "serverstate.ready": Pair("ready", "就绪"),
    "serverstate.restarting": Pair("is started again", "正在重启"),
    "serverstate.asleep": Pair("asleep", "休眠中"),
    "serverstate.given_up": Pair("given up", "已放弃"),
    "serverstate.stopped": Pair("stopped", "已停止"),
    "models.replay": Pair(
        "Repeats what verified a procedure before, as long as the pages are as they were. Needs no"
        " model.",
        "页面未变时，重复上次验证成功的操作。不需要模型。",
    ),
    "models.literal": Pair(
        "Reads the instructions as a careful reader would, and finds controls by their names."
        " Needs no model.",
        "像认真的读者一样理解说明，并按名称寻找控件。不需要模型。",
    ),
    "models.model": Pair(
        "A vision-language model that looks at the page.", "由视觉语言模型查看页面并决定。"
    ),
    "benchmarks.title": Pair("Benchmark runs", "基准评测"),
    "benchmarks.lead": Pair(
        "How often the appliance is right, measured with documentation whose errors are known.",
        "用已知错误的文档衡量本工具的准确程度。",
    ),
    "benchmarks.empty": Pair("No benchmark run yet", "还没有评测结果"),
    "benchmarks.empty.text": Pair(
        "Results are read from the folder `{folder}` in the data folder. This makes one:",
        "结果读取自数据目录下的 `{folder}` 文件夹。运行以下命令可生成：",
    ),
    "training.title": Pair("Training runs", "训练"),
    "training.empty": Pair("This build has no training mode", "此版本不含训练功能"),
    "training.empty.text": Pair(
        "Procedures are verified by the literal policy, which learns nothing and needs no training."
        " Trajectories of all runs are kept, so that a later build can learn from them.",
        "当前由字面策略执行验证，不需要训练。所有运行的轨迹都会保留，供以后的版本学习。",
    ),
}
