// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev A token that anyone may mint.
contract OpenToken is ERC20("Open", "O") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// @dev Answers false instead of reverting for those it does not like.
contract FalseToken is OpenToken {
    mapping(address account => bool) public isRefused;

    function refuse(address account, bool isRefusedNow) external {
        isRefused[account] = isRefusedNow;
    }

    function transfer(address to, uint256 amount) public virtual override returns (bool) {
        return !isRefused[to] && super.transfer(to, amount);
    }
}

/// @dev Before any balance changes, makes one call of its maker's choice and remembers whether it got through. It is a
/// contract that can be operator too.
contract CallbackToken is FalseToken {
    address public target;
    bytes public callback;
    bool public hasCalled;
    bool public hasSucceeded;

    function setCallback(address newTarget, bytes calldata newCallback) external {
        (target, callback) = (newTarget, newCallback);
    }

    /// @dev Lets the token act as operator.
    function call(address to, bytes calldata data) external {
        (bool isOk, bytes memory reason) = to.call(data);
        if (!isOk) {
            assembly ("memory-safe") {
                revert(add(reason, 0x20), mload(reason))
            }
        }
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (target != address(0)) {
            hasCalled = true;
            (hasSucceeded,) = target.call(callback);
        }
        return super.transfer(to, amount);
    }
}

/// @dev A token that answers at a second address, as tokens do that were migrated.
contract TwoNameToken is OpenToken {
    SecondName public immutable secondName = new SecondName(this);

    function moveFromSecondName(address from, address to, uint256 amount) external {
        require(msg.sender == address(secondName));
        _transfer(from, to, amount);
    }
}

contract SecondName {
    TwoNameToken private immutable FIRST;

    constructor(TwoNameToken first) {
        FIRST = first;
    }

    function balanceOf(address account) external view returns (uint256) {
        return FIRST.balanceOf(account);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        FIRST.moveFromSecondName(msg.sender, to, amount);
        return true;
    }
}

/// @dev Takes a tenth more from the sender than is sent.
contract SenderTaxToken is OpenToken {
    function transfer(address to, uint256 amount) public override returns (bool) {
        _burn(msg.sender, amount / 10);
        return super.transfer(to, amount);
    }
}

/// @dev Reverts with 100 kB.
contract LoudToken is OpenToken {
    function transfer(address, uint256) public pure override returns (bool) {
        assembly {
            revert(0, 100000)
        }
    }
}

/// @dev Burns all gas that it is given.
contract GasBurnerToken is OpenToken {
    function transfer(address, uint256) public pure override returns (bool) {
        assembly {
            invalid()
        }
    }
}
