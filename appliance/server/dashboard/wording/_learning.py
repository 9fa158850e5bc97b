"""Words of models, benchmarks and training."""

from appliance.server.dashboard.wording._catalogue import Catalogue, Pair

WORDS: Catalogue = {
    "models.title": Pair("Models", "模型"),
    "models.lead": Pair(
        "Procedures are verified without a model. One may write resource modules where none fits.",
        "验证流程不需要模型。没有合适的资源模块时，可由模型编写。",
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
        "None is needed to verify. Where you have an OpenAI-compatible endpoint, name it in the"
        " settings:",
        "验证不需要模型。如有兼容 OpenAI 的服务，可在配置中填写：",
    ),
    "models.policies": Pair("Who decides what to click", "由谁决定操作"),
    "models.policy": Pair("Policy", "策略"),
    "models.what": Pair("What it does", "说明"),
    "models.here": Pair("in this build", "可用"),
    "models.not_here": Pair("not in this build", "此版本未包含"),
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
